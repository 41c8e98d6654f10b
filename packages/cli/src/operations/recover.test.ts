import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { signInNewDeviceUser, validPayloads } from '@countersign/core/testing'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openCore } from '../testing/open-core.ts'
import { runAsPerson } from '../testing/terminal.ts'
import { workplaceOfFile } from '../testing/workplace-of-file.ts'

const here = workplaceOfFile()
let confirmationId: string
let since: string

/** Consumes the approval after the backup was made, and then restores the backup. */
beforeAll(async () => {
  const { countersign, close } = await openCore(here)
  const { user, web, mobile, device, signer } = await signInNewDeviceUser({ countersign })
  const action = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const
  const { id, challenge } = await countersign.confirmations.initiate({ caller: web.caller, ...action })
  confirmationId = id
  const signedChallenge = signer.sign(challenge)
  await countersign.confirmations.approve({ caller: mobile.caller, confirmationId, deviceId: device.id, signedChallenge })
  await close()
  const [database, backup] = [join(here.directory, 'countersign.db'), join(here.directory, 'backup.db')]
  copyFileSync(database, backup)
  since = new Date().toISOString()
  const later = await openCore(here)
  await later.countersign.confirmations.consume({ confirmationId, userId: user.id, consumedBy: 'payment 4711', ...action })
  await later.close()
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${database}${suffix}`, { force: true })
  copyFileSync(backup, database)
})

const recover = (...options: readonly string[]) => here.json(['recover', 'after-restore', '--since', since, ...options])

test('a dry run counts what could be used twice, and changes nothing', async () => {
  expect(await recover('--dry-run')).toMatchObject({ dryRun: true, since, voided: { approvals: 1, sessions: 2 } })
  const { stdout } = await here.run(['recover', 'after-restore', '--since', since, '--dry-run'])
  expect(stdout).toContain('would be voided')
  expect(stdout).toContain(confirmationId)
  expect(await here.json(['confirmation', 'show', confirmationId])).toMatchObject({ voidedAt: null })
})

test('the recovery is refused while a server uses the database, and until a minute after its last sign of life', async () => {
  const { storage, close } = await openCore(here)
  onTestFinished(() => close())
  await storage.servers.announce({ id: 'in the backup', seenAt: Date.now() - 50_000, settings: '{}' }, 0)
  const refused = await here.run(['recover', 'after-restore', '--since', since, '--yes'])
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^error: a server runs .* in \d+ seconds/) })
  expect(Number(refused.stderr.match(/in (\d+) seconds/)?.[1])).toBeLessThanOrEqual(10)
  expect(await recover('--dry-run')).toMatchObject({ voided: { approvals: 1 } })
  await storage.servers.announce({ id: 'in the backup', seenAt: Date.now() - 61_000, settings: '{}' }, 0)
  const unasked = await here.run(['recover', 'after-restore', '--since', since])
  expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
})

test('on a terminal the recovery names the database and what it would void, and changes nothing unless the person types the name', async () => {
  const typed = [{ after: 'to go on: ', keys: 'other.db\r' }]
  const { code, shown } = await runAsPerson(here, ['recover', 'after-restore', '--since', since], { typed, columns: 300 })
  expect(code).toBe(1)
  expect(shown).toContain(`Database: ${here.env.COUNTERSIGN_DATABASE_URL}\n`)
  expect(shown).toContain('This ends or voids 2 sessions, 0 approval requests, 0 pending confirmations, 1 approvals, ')
  expect(shown).toContain('Type countersign.db to go on: ')
  expect(await recover('--dry-run')).toMatchObject({ voided: { approvals: 1 } })
})

test('the recovery voids an approval that the host has used since the backup, and lists it so that the host can compare', async () => {
  expect(await recover('--yes')).toMatchObject({
    dryRun: false,
    since,
    voided: { approvals: 1, sessions: 2 },
    compare: { confirmations: [{ id: confirmationId, actionType: 'payment_approval' }], serviceTokens: [] },
  })
  expect(await here.json(['confirmation', 'show', confirmationId])).toMatchObject({ voidedAt: expect.any(String) })
  expect(await here.json(['session', 'list'])).toEqual([])
  expect(await recover('--yes')).toMatchObject({ voided: { approvals: 0, sessions: 0 } })
})

test('a time in the future, and a missing time, are refused', async () => {
  expect(await here.run(['recover', 'after-restore', '--since', '2999-01-01', '--yes'])).toMatchObject({ code: 1 })
  expect(await here.run(['recover', 'after-restore'])).toMatchObject({ code: 2 })
})
