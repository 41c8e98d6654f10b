import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { signInNewDeviceUser, validPayloads } from '@countersign/core/testing'
import { beforeAll, expect, test } from 'vitest'
import { openCore } from '../testing/open-core.ts'
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

test('the recovery voids the used approval, and lists it for the host to compare', async () => {
  expect(await recover()).toMatchObject({
    dryRun: false,
    since,
    voided: { approvals: 1, sessions: 2 },
    compare: { confirmations: [{ id: confirmationId, actionType: 'payment_approval' }], serviceTokens: [] },
  })
  expect(await here.json(['confirmation', 'show', confirmationId])).toMatchObject({ voidedAt: expect.any(String) })
  expect(await here.json(['session', 'list'])).toEqual([])
  expect(await recover()).toMatchObject({ voided: { approvals: 0, sessions: 0 } })
})

test('a time in the future, and a missing time, are refused', async () => {
  expect(await here.run(['recover', 'after-restore', '--since', '2999-01-01'])).toMatchObject({ code: 1 })
  expect(await here.run(['recover', 'after-restore'])).toMatchObject({ code: 2 })
})
