import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { days } from '../../shared/clock.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { registerTestPasskey, signInByPasskey } from '../../testing/passkeys.ts'
import {
  type DeviceUser,
  registerTestDevice,
  type SignedIn,
  signIn,
  signInNewDeviceUser,
  signInNewUser,
  testPassword,
} from '../../testing/sign-in.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'

const permission = 'payment.approve'
const newPassword = 'another password, long enough'

/** A thief has a session of the user, and asked for a confirmation and an approval request. The user asked for both too. */
let test: TestCountersign
let user: DeviceUser
let thief: SignedIn
let own: Asked
let ofThief: Asked
beforeEach(async () => {
  test = await createTestCountersign({ options: { approvalPolicies: { payment_approval: { permission, count: 1 } } } })
  const approver = await signInNewUser(test, { permissions: [permission] })
  await registerTestDevice(test, approver.caller)
  user = await signInNewDeviceUser(test)
  thief = await signIn(test, user.user)
  own = await ask(user.web.caller)
  ofThief = await ask(thief.caller)
})

interface Asked {
  readonly confirmationId: string
  readonly approvalId: string
}

const ask = async (caller: SignedIn['caller']): Promise<Asked> => {
  const { id: confirmationId } = await initiatePayment(test, caller)
  const asked = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const
  return { confirmationId, approvalId: (await test.countersign.approvalRequests.start({ ...asked, caller })).id }
}

/** Returns the statuses of the confirmation, of the request and of the confirmation of its approver. */
const statusesOf = async ({ confirmationId, approvalId }: Asked) => {
  const { confirmations, approvalRequests } = test.storage
  const ofApprovers = await approvalRequests.confirmationsOf(approvalId)
  return [
    (await confirmations.byId(confirmationId))?.status,
    (await approvalRequests.byId(approvalId))?.status,
    ...ofApprovers.map(({ status }) => status),
  ]
}

const pending = ['pending', 'pending', 'pending']
const rejected = ['rejected', 'rejected', 'rejected']
const caller = () => user.web.caller

const endings: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['ended by the user', () => test.countersign.sessions.endOwn({ caller: caller(), sessionId: thief.caller.sessionId })],
  ['ended with all others', () => test.countersign.sessions.endOthers({ caller: caller() })],
  ['ended by an administrator', () => test.countersign.sessions.revoke({ id: thief.caller.sessionId })],
  [
    'ended by a new password',
    () => test.countersign.password.change({ caller: caller(), currentPassword: testPassword, newPassword }),
  ],
  [
    'disowned',
    async () => {
      const { id: confirmationId } = await initiatePayment(test, thief.caller)
      await test.countersign.confirmations.reject({ caller: user.mobile.caller, confirmationId, notMe: true })
    },
  ],
]

describe('what a session asked for', () => {
  it.each(endings)('is rejected when the session is %s, and what another session asked for stays', async (_, end) => {
    await end()
    expect(await statusesOf(ofThief)).toStrictEqual(rejected)
    expect(await statusesOf(own)).toStrictEqual(pending)
    const { status } = await test.countersign.confirmations.status({ caller: caller(), confirmationId: ofThief.confirmationId })
    expect(status).toBe('rejected')
  })

  it('is rejected when the device or passkey that opened the session is removed', async () => {
    const { virtual, passkey } = await registerTestPasskey(test, caller())
    const byPasskey = await ask((await signInByPasskey(test, virtual)).caller)
    const byDevice = await ask(user.mobile.caller)
    await test.countersign.passkeys.remove({ caller: caller(), credentialId: passkey.id })
    expect([await statusesOf(byPasskey), await statusesOf(byDevice)]).toStrictEqual([rejected, pending])
    await test.countersign.devices.remove({ caller: caller(), deviceId: user.device.id })
    expect([await statusesOf(byDevice), await statusesOf(own)]).toStrictEqual([rejected, pending])
  })

  it('is rejected by a reset of the password, whichever session asked', async () => {
    const { code } = await test.countersign.users.resetPassword({ email: user.user.email })
    await test.countersign.password.setWithCode({ code, newPassword })
    expect([await statusesOf(ofThief), await statusesOf(own)]).toStrictEqual([rejected, rejected])
  })

  it('stays after a logout', async () => {
    await test.countersign.auth.logout({ caller: thief.caller, refreshToken: thief.tokens.refreshToken })
    await test.countersign.sessions.endOwn({ caller: caller(), sessionId: user.mobile.caller.sessionId })
    expect(await statusesOf(ofThief)).toStrictEqual(pending)
  })

  it('stays when the session expires', async () => {
    test = await createTestCountersign({ options: { confirmationLifetime: days(40) } })
    user = await signInNewDeviceUser(test)
    const { id } = await initiatePayment(test, caller())
    test.clock.advance(days(31))
    const [current, other] = [await signIn(test, user.user), await signIn(test, user.user)]
    await test.countersign.sessions.endOwn({ caller: current.caller, sessionId: other.caller.sessionId })
    expect(await test.storage.confirmations.byId(id)).toMatchObject({ status: 'pending' })
  })

  it('can still be used if it was approved before the session ended', async () => {
    const { id: confirmationId, challenge } = await initiatePayment(test, thief.caller)
    const signedChallenge = user.signer.sign(challenge)
    const { caller: mobile } = user.mobile
    await test.countersign.confirmations.approve({ caller: mobile, confirmationId, deviceId: user.device.id, signedChallenge })
    await test.countersign.sessions.endOthers({ caller: mobile })
    const actionPayload = validPayloads.payment_approval
    const action = { actionType: 'payment_approval', actionPayload } as const
    const consumption = { confirmationId, userId: user.user.id, consumedBy: 'host', ...action }
    await expect(test.countersign.confirmations.consume(consumption)).resolves.toBeDefined()
  })
})
