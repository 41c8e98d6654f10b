import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { ConfirmationUsed } from '../../approvals/confirmations/errors.ts'
import { days } from '../../shared/clock.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { registerTestPasskey } from '../../testing/passkeys.ts'
import { anAnnouncement, type DeviceUser, registerTestDevice, signInNewDeviceUser, signInNewUser } from '../../testing/sign-in.ts'
import { createTestDevice } from '../../testing/test-device.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'
import { createVirtualPasskey } from '../../testing/virtual-passkey.ts'
import { InvalidAccessToken } from '../authentication/errors.ts'

let test: TestCountersign
let user: DeviceUser
let customerId: string
let uniqueCode: string
beforeEach(async () => {
  const permission = 'payment.approve'
  test = await createTestCountersign({ options: { approvalPolicies: { payment_approval: { permission, count: 1 } } } })
  const approver = await signInNewUser(test, { permissions: [permission] })
  await registerTestDevice(test, approver.caller)
  user = await signInNewDeviceUser(test)
  customerId = (await test.countersign.customers.create({ name: 'A customer', email: 'customer@example.test' })).id
  uniqueCode = (await test.countersign.projects.create({ ...aNewProject(), caller: mayAll(user) })).uniqueCode
})

/** The caller as a host passes it on, with the permissions from the directory of the host. */
const mayAll = ({ web: { caller } }: DeviceUser) => ({
  ...caller,
  permissions: ['project.create', 'project.update', 'project.delete'],
})

const aNewProject = () => ({ name: 'A mill', customerId, contractValue: 1, currency: 'EUR' })

const endings: Readonly<Record<string, () => Promise<unknown>>> = {
  'the session was revoked': async () => {
    await test.countersign.sessions.revoke({ id: user.web.caller.sessionId })
    await test.countersign.sessions.revoke({ id: user.mobile.caller.sessionId })
  },
  'the user was disabled': () => test.countersign.users.disable({ email: user.user.email }),
  'the user got another password': () =>
    test.countersign.users.setPassword({ email: user.user.email, password: 'another correct horse' }),
}

type Write = (user: DeviceUser, credentialId: string) => Promise<unknown>

/** Every write of a signed-in user that is not tested on its own. */
const writes: Readonly<Record<string, Write>> = {
  'begin to register a device': ({ web: { caller } }) =>
    test.countersign.devices.beginRegistration({ caller, ...anAnnouncement(createTestDevice('ES256')) }),
  'begin to register a passkey': ({ web: { caller } }) => test.countersign.passkeys.beginRegistration({ caller }),
  'set a push token': ({ web: { caller }, device }) =>
    test.countersign.devices.setPushToken({ caller, deviceId: device.id, pushToken: 'of a thief' }),
  'rename a passkey': ({ web: { caller } }, credentialId) =>
    test.countersign.passkeys.rename({ caller, credentialId, name: 'Another name' }),
  'remove a device': ({ web: { caller }, device }) => test.countersign.devices.remove({ caller, deviceId: device.id }),
  'remove a passkey': ({ web: { caller } }, credentialId) => test.countersign.passkeys.remove({ caller, credentialId }),
  'end a session': ({ web: { caller }, mobile }) =>
    test.countersign.sessions.endOwn({ caller, sessionId: mobile.caller.sessionId }),
  'initiate a confirmation': ({ web: { caller } }) => initiatePayment(test, caller),
  'start an approval request': ({ web: { caller } }) =>
    test.countersign.approvalRequests.start({
      caller,
      actionType: 'payment_approval',
      actionPayload: validPayloads.payment_approval,
    }),
  'create a project': (one) => test.countersign.projects.create({ ...aNewProject(), caller: mayAll(one) }),
  'change a project': (one) => test.countersign.projects.update({ caller: mayAll(one), uniqueCode, description: 'Of a thief' }),
  'remove a project': (one) => test.countersign.projects.remove({ caller: mayAll(one), uniqueCode }),
}

/** Returns what the storage has of a user. */
const everythingOf = async (userId: number) => {
  const { devices, passkeys, sessions, confirmations, approvalRequests } = test.storage
  // A refused try counts for the rate limits.
  const { rateLimits: _, ...expiring } = await test.storage.sweepable(test.clock.now() + days(1000))
  return {
    devices: await devices.allOfUser(userId),
    passkeys: await passkeys.allOfUser(userId),
    sessions: await sessions.ofUser(userId),
    confirmations: await confirmations.allOfUser(userId),
    requests: await approvalRequests.allOfRequester(userId),
    projects: await test.storage.projects.projects.ofPerson(userId),
    project: await test.countersign.projects.get({ caller: 'admin', uniqueCode }),
    // Challenges have no list.
    expiring,
  }
}

/** A caller who was authenticated before the session ended, like a request that waits for its body. */
describe.each(Object.entries(endings))('after %s, a caller who was authenticated before', (_, end) => {
  it('cannot register a device', async () => {
    const { caller } = user.web
    const signer = createTestDevice('ES256')
    const { id, challenge } = await test.countersign.devices.beginRegistration({ caller, ...anAnnouncement(signer) })
    await end()
    const finish = test.countersign.devices.finishRegistration({
      caller,
      sessionId: id,
      signedChallenge: signer.sign(challenge),
    })
    await expect(finish).rejects.toStrictEqual(new InvalidAccessToken())
    expect(await test.countersign.devices.list({ caller })).toStrictEqual(
      [user.device].map((device) => expect.objectContaining({ id: device.id })),
    )
  })

  it('cannot register a passkey', async () => {
    const { caller } = user.web
    const { challengeId, publicKey } = await test.countersign.passkeys.beginRegistration({ caller })
    await end()
    const credential = createVirtualPasskey().create(publicKey)
    const finish = test.countersign.passkeys.finishRegistration({ caller, challengeId, credential })
    await expect(finish).rejects.toStrictEqual(new InvalidAccessToken())
    expect(await test.countersign.passkeys.list({ caller })).toStrictEqual([])
  })

  it.each(Object.entries(writes))('cannot %s', async (_name, write) => {
    const { passkey } = await registerTestPasskey(test, user.web.caller)
    await end()
    const before = await everythingOf(user.user.id)
    await expect(write(user, passkey.id)).rejects.toStrictEqual(new InvalidAccessToken())
    expect(await everythingOf(user.user.id)).toStrictEqual(before)
  })

  it('cannot approve or reject a confirmation', async () => {
    // A confirmation that a session asked for would be rejected with the session.
    const confirmation = await initiatePayment(test, { userId: user.user.id })
    await end()
    const { caller } = user.mobile
    const verify = test.countersign.confirmations.approve({
      caller,
      confirmationId: confirmation.id,
      deviceId: user.device.id,
      signedChallenge: user.signer.sign(confirmation.challenge),
    })
    const { status } = await test.countersign.confirmations.status({ caller, confirmationId: confirmation.id })
    // The disabling of a user rejects every confirmation.
    expect(status).toBe(end === endings['the user was disabled'] ? 'rejected' : 'pending')
    const refusal = status === 'pending' ? new InvalidAccessToken() : new ConfirmationUsed()
    await expect(verify).rejects.toStrictEqual(refusal)
    const reject = test.countersign.confirmations.reject({ caller, confirmationId: confirmation.id })
    await expect(reject).rejects.toStrictEqual(refusal)
  })
})
