import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { expect, it } from 'vitest'
import { ApprovalNotApproved } from '../approvals/requests/errors.ts'
import { ConfirmationNotApproved } from '../approvals/use/errors.ts'
import { InvalidAccessToken, InvalidOneTimeCode } from '../identity/authentication/errors.ts'
import { minutes, seconds } from '../shared/clock.ts'
import { Invalid } from '../shared/errors.ts'
import { approve } from '../testing/approve-payment.ts'
import { initiatePayment } from '../testing/initiate-payment.ts'
import { signInNewDeviceUser } from '../testing/sign-in.ts'
import { validPayloads } from '../testing/valid-payloads.ts'
import { ServersRunning } from './errors.ts'

/** A user with an approved and a pending confirmation, a code and a service token, as a restored backup has them. */
const prepare = async () => {
  const test = await createTestCountersign()
  const { countersign, clock } = test
  const { user, web, mobile, device, signer } = await signInNewDeviceUser(test)
  const [approved, pending] = [await initiatePayment(test, web.caller), await initiatePayment(test, web.caller)]
  const signedChallenge = signer.sign(approved.challenge)
  await countersign.confirmations.approve({
    caller: mobile.caller,
    confirmationId: approved.id,
    deviceId: device.id,
    signedChallenge,
  })
  const { code } = await countersign.users.resetPassword({ email: user.email })
  const token = await countersign.serviceTokens.issue({ service: 'billing' })
  const since = clock.now()
  clock.advance(minutes(1))
  const consume = () =>
    countersign.confirmations.consume({
      confirmationId: approved.id,
      userId: user.id,
      actionType: 'payment_approval',
      actionPayload: validPayloads.payment_approval,
      consumedBy: 'payment 4711',
    })
  return { ...test, user, web, approved, pending, code, token, since, consume }
}

it('the recovery voids approvals, requests, codes and sessions of a restored backup, and lists what the host must compare', async () => {
  const { countersign, logger, user, web, approved, pending, code, token, since, consume } = await prepare()
  const recovery = await countersign.recoverAfterRestore({ since })
  expect(recovery.voided).toMatchObject({ approvals: 1, pendingConfirmations: 1, oneTimeCodes: 1, sessions: 2 })
  expect(recovery.confirmations.map(({ id, email }) => [id, email]).toSorted()).toEqual(
    [
      [approved.id, user.email],
      [pending.id, user.email],
    ].toSorted(),
  )
  expect(recovery.serviceTokens.map(({ id }) => id)).toEqual([token.id])
  await expect(consume()).rejects.toThrow(ConfirmationNotApproved)
  await expect(countersign.auth.authenticate({ token: web.tokens.accessToken })).rejects.toThrow(InvalidAccessToken)
  const redeemed = countersign.password.setWithCode({ code, newPassword: 'another password, long enough' })
  await expect(redeemed).rejects.toThrow(InvalidOneTimeCode)
  expect(logger.entries).toContainEqual(expect.objectContaining({ event: 'recovered_after_restore' }))
})

it('a dry run voids nothing, and returns the same counts', async () => {
  const { countersign, web, since, consume } = await prepare()
  const planned = await countersign.recoverAfterRestore({ since, dryRun: true })
  await expect(countersign.auth.authenticate({ token: web.tokens.accessToken })).resolves.toBeDefined()
  expect(await countersign.recoverAfterRestore({ since })).toEqual(planned)
  await expect(consume()).rejects.toThrow(ConfirmationNotApproved)
})

it('the recovery lists no confirmation that nobody could use any more at the time of the backup', async () => {
  const { countersign, clock, since } = await prepare()
  clock.advance(minutes(60))
  expect((await countersign.recoverAfterRestore({ since: since + minutes(30) })).confirmations).toEqual([])
})

it('the recovery lists and voids an approval that could be used at the time of the backup, also if it has expired since', async () => {
  const { countersign, clock, since } = await prepare()
  clock.advance(minutes(60))
  const { confirmations, voided } = await countersign.recoverAfterRestore({ since })
  expect(confirmations).toHaveLength(2)
  expect(voided).toMatchObject({ approvals: 1, pendingConfirmations: 0 })
})

it('the recovery ends an open approval request, so that nobody redeems it', async () => {
  const permission = 'payment.approve'
  const test = await createTestCountersign({ options: { approvalPolicies: { payment_approval: { permission, count: 1 } } } })
  const { approvalRequests, recoverAfterRestore } = test.countersign
  const requester = await signInNewDeviceUser(test)
  const approver = await signInNewDeviceUser(test)
  await test.countersign.users.grant({ email: approver.user.email, permissions: [permission] })
  const action = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const
  const { id } = await approvalRequests.start({ ...action, caller: requester.web.caller })
  const [asked] = await test.countersign.confirmations.pending({ caller: approver.mobile.caller })
  if (asked !== undefined) await approve(test, approver, asked)
  expect((await recoverAfterRestore({ since: test.clock.now() })).voided).toMatchObject({ approvals: 1, approvalRequests: 1 })
  const read = approvalRequests.read({ approvalId: id, caller: requester.web.caller })
  await expect(read).resolves.toMatchObject({ status: 'rejected' })
  const service = { name: 'billing', scopes: ['approval.redeem:payment_approval'] }
  const redeemed = approvalRequests.redeem({ ...action, approvalId: id, permission, count: 1, service })
  await expect(redeemed).rejects.toThrow(ApprovalNotApproved)
})

it('the recovery lists the approval of an open request, however old the approval is', async () => {
  const permission = 'payment.approve'
  const approvalPolicies = { payment_approval: { permission, count: 2 } } as const
  const test = await createTestCountersign({ options: { approvalPolicies, approvalMaxAge: minutes(1) } })
  const [requester, approver, other] = [
    await signInNewDeviceUser(test),
    await signInNewDeviceUser(test),
    await signInNewDeviceUser(test),
  ]
  for (const { email } of [approver.user, other.user]) await test.countersign.users.grant({ email, permissions: [permission] })
  const action = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const
  await test.countersign.approvalRequests.start({ ...action, caller: requester.web.caller })
  const [asked] = await test.countersign.confirmations.pending({ caller: approver.mobile.caller })
  if (asked !== undefined) await approve(test, approver, asked)
  test.clock.advance(minutes(5))
  const { confirmations } = await test.countersign.recoverAfterRestore({ since: test.clock.now() })
  expect(confirmations).toContainEqual(expect.objectContaining({ id: asked?.id, status: 'approved' }))
})

it('the recovery refuses a time in the future', async () => {
  const { countersign, clock } = await prepare()
  await expect(countersign.recoverAfterRestore({ since: clock.now() + 1 })).rejects.toThrow(Invalid)
})

const serverSeen = (test: Awaited<ReturnType<typeof prepare>>, id: string) =>
  test.storage.servers.announce({ id, seenAt: test.clock.now(), settings: '{}' }, 0)

it('the recovery refuses a database where a server was seen in the last minute, and says from when on it works', async () => {
  const test = await prepare()
  const { countersign, clock, since, consume } = test
  await serverSeen(test, 'one')
  clock.advance(seconds(10))
  await serverSeen(test, 'other')
  clock.advance(seconds(15))
  const until = clock.now() + seconds(45) + 1
  const refused = await countersign.recoverAfterRestore({ since }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ServersRunning)
  expect(refused).toMatchObject({ until, message: expect.stringMatching(/^2 servers run .*; this works in 46 seconds if none/) })
  expect((await countersign.recoverAfterRestore({ since, dryRun: true })).voided).toMatchObject({ approvals: 1 })
  await consume()
  clock.advance(seconds(45))
  await expect(countersign.recoverAfterRestore({ since })).rejects.toThrow(/^a server runs .* in 1 seconds/)
  clock.advance(1)
  await expect(countersign.recoverAfterRestore({ since })).resolves.toBeDefined()
})

it('the recovery asks the clock of the database when a server was seen', async () => {
  const test = await prepare()
  const databaseTime = test.clock.now() + minutes(30)
  const storage = { ...test.storage, time: () => Promise.resolve(databaseTime) }
  const { countersign } = await createTestCountersign({ ...test, storage })
  await serverSeen(test, 'seen long ago by the clock of the database')
  await expect(countersign.recoverAfterRestore({ since: test.since })).resolves.toBeDefined()
  await storage.servers.announce({ id: 'running', seenAt: databaseTime, settings: '{}' }, 0)
  await expect(countersign.recoverAfterRestore({ since: test.since })).rejects.toThrow(ServersRunning)
})

it('a host that knows better recovers while servers run', async () => {
  const test = await prepare()
  await serverSeen(test, 'one')
  const recovery = await test.countersign.recoverAfterRestore({ since: test.since, whileServersRun: true })
  expect(recovery.voided).toMatchObject({ approvals: 1 })
})
