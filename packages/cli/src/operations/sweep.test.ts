import { PassThrough } from 'node:stream'
import type { Countersign } from '@countersign/core'
import { aServiceToken } from '@countersign/core/testing'
import { beforeAll, expect, test } from 'vitest'
import { openCore } from '../testing/open-core.ts'
import { workplaceOfFile } from '../testing/workplace-of-file.ts'
import { sweepUntilStopped } from './sweep.ts'

const DAY = 86_400_000

const here = workplaceOfFile()

beforeAll(async () => {
  const { storage, close } = await openCore(here)
  for (const age of [3, 400]) {
    const expiresAt = Date.now() - age * DAY
    await storage.serviceTokens.add(aServiceToken({ createdAt: expiresAt - 1, expiresAt }))
  }
  await close()
})

const countTokens = async () => ((await here.json(['service-token', 'list'])) as readonly unknown[]).length

test('a dry run counts what is older than its retention, and deletes nothing', async () => {
  expect(await here.json(['sweep', '--dry-run'])).toEqual({ dryRun: true, rows: { serviceTokens: 1 } })
  const { stdout } = await here.run(['sweep', '--dry-run'])
  expect(stdout).toContain('would be deleted')
  expect(await countTokens()).toBe(2)
})

test('the retention comes from the environment', async () => {
  const count = (days: string) => here.json(['sweep', '--dry-run'], { env: { COUNTERSIGN_RETENTION_SERVICE_TOKENS_DAYS: days } })
  expect(await count('2')).toMatchObject({ rows: { serviceTokens: 2 } })
  expect(await count('forever')).toEqual({ dryRun: true, rows: {} })
})

test('a retention of approvals under 7 days is reported as 7 days', async () => {
  const run = (days: string) => here.run(['sweep', '--dry-run'], { env: { COUNTERSIGN_RETENTION_APPROVALS_DAYS: days } })
  expect((await run('6')).stderr).toBe('warning: COUNTERSIGN_RETENTION_APPROVALS_DAYS: approvals are kept for at least 7 days\n')
  expect((await run('7')).stderr).toBe('')
})

test.each([
  ['a signal', () => void process.emit('SIGINT', 'SIGINT'), 'stopped by SIGINT; another sweep deletes the rest'],
  [
    'a failure of the database',
    () => {
      throw new Error('connection lost')
    },
    'connection lost',
  ],
])('a sweep that is ended by %s says what it deleted', async (_, interrupt, message) => {
  const stderr = new PassThrough()
  const sweep: Countersign['sweep'] = async (onSwept) => {
    onSwept?.('sessions', 500)
    interrupt()
    onSwept?.('sessions', 20)
    onSwept?.('changes', 1)
    return {}
  }
  await expect(sweepUntilStopped({ sweep }, { stderr })).rejects.toThrow(message)
  expect(String(stderr.read())).toMatch(/^Deleted before the end: 5[02]0 sessions\n$/)
  expect(process.listenerCount('SIGINT')).toBe(0)
})

test('a retention with a wrong value is refused before anything is deleted', async () => {
  const env = { COUNTERSIGN_RETENTION_SERVICE_TOKENS_DAYS: '0' }
  const { code, stderr } = await here.run(['sweep'], { env })
  expect(code).toBe(1)
  expect(stderr).toContain('must be forever, or a whole number of days from 1 to 36525')
  expect(await countTokens()).toBe(2)
})

test('a misspelt name of a retention is refused before anything is deleted, and the right name is shown', async () => {
  const env = { COUNTERSIGN_RETENTION_SERVICE_TOKENS: 'forever' }
  for (const options of [['--dry-run'], []]) {
    const { code, stderr } = await here.run(['sweep', ...options], { env })
    expect(code).toBe(1)
    expect(stderr).toContain('perhaps COUNTERSIGN_RETENTION_SERVICE_TOKENS_DAYS is meant')
  }
  expect(await countTokens()).toBe(2)
})

test('a sweep deletes the rows that are older than their retention, and prints their number', async () => {
  const { stdout } = await here.run(['sweep'])
  expect(stdout).toContain('serviceTokens')
  expect(await countTokens()).toBe(1)
  expect(await here.json(['sweep'])).toEqual({ dryRun: false, rows: {} })
})
