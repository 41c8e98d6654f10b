import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '@countersign/storage-sqlite'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { expect, it, onTestFinished } from 'vitest'
import { Unavailable } from '../shared/errors.ts'
import { testCountersignOn } from '../testing/test-countersign.ts'

const clock = { check: 'clock', status: 'ok', detail: 'the database shares the clock of this machine' }
const schema = { check: 'schema version', status: 'ok', detail: '0001-identity, 0001-approvals, 0001-projects' }
const database = { check: 'database', status: 'ok', detail: 'answers, and takes writes' }

it('the check reports a database, its schema, its clock and its keys as right', async () => {
  const { countersign } = await createTestCountersign()
  const keys = { check: 'keys', status: 'ok', detail: 'the encryption keys open the stored fields' }
  expect(await countersign.check()).toStrictEqual([database, schema, clock, keys])
})

it('the check names the key that stored fields need and that the configuration lacks', async () => {
  const { countersign, storage, encryptionKeys } = await createTestCountersign()
  // A login stores the key of digests, encrypted.
  await countersign.auth.login({ email: 'ada@example.test', password: 'wrong password' }).catch(() => {})
  const other = await createTestCountersign({ storage })
  const lost = {
    status: 'failed',
    detail: expect.stringContaining(`the key ${encryptionKeys.current.kid} is not in encryptionKeys`),
  }
  expect(await other.countersign.check()).toContainEqual({ check: 'keys', ...lost })
})

it.each([
  [true, ['keys']],
  [false, []],
])('the check runs by itself if `production` is %j, and logs the missing key', async (production, failed) => {
  const { countersign, storage } = await createTestCountersign()
  await countersign.auth.login({ email: 'ada@example.test', password: 'wrong password' }).catch(() => {})
  const { background, logger } = await createTestCountersign({ storage, production })
  await background.drain()
  expect(logger.entries.map(({ event, fields }) => [event, fields?.check])).toStrictEqual(
    failed.map((check) => ['check_failed', check]),
  )
})

it('the check says how to migrate an empty database, and changes nothing in it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-check-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const storage = await openSqlite({ path: join(directory, 'empty.db') })
  onTestFinished(() => storage.close())
  const detail = 'pending: 0001-identity, 0001-approvals, 0001-projects; `storage.migrate()` applies it'
  for (const _ of [1, 2]) {
    const rows = await testCountersignOn(storage).countersign.check()
    expect(rows).toStrictEqual([{ check: 'schema version', status: 'failed', detail }, clock])
  }
})

it('the check names the cause if the database refuses writes', async () => {
  const { storage } = await createTestCountersign()
  const probeWrites = () => Promise.reject(new Unavailable('away', { reason: 'database_read_only' }))
  const { countersign } = testCountersignOn({ ...storage, probeWrites })
  const failed = { check: 'database', status: 'failed', detail: 'database_read_only' }
  expect(await countersign.check()).toStrictEqual([failed, schema, clock])
})
