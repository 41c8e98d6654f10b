import { beforeEach, describe, expect, it } from 'vitest'
import { createTestCountersign, type TestCountersign } from '../../testing/create-test-countersign.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { anAnnouncement, type DeviceUser, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { createTestDevice } from '../../testing/test-device.ts'
import { createVirtualPasskey } from '../../testing/virtual-passkey.ts'
import { InvalidAccessToken } from '../authentication/errors.ts'

let test: TestCountersign
let user: DeviceUser
beforeEach(async () => {
  test = createTestCountersign()
  user = await signInNewDeviceUser(test)
})

const endings: Readonly<Record<string, () => Promise<unknown>>> = {
  'the session was revoked': async () => {
    await test.countersign.sessions.revoke({ id: user.web.caller.sessionId })
    await test.countersign.sessions.revoke({ id: user.mobile.caller.sessionId })
  },
  'the user was disabled': () => test.countersign.users.disable({ email: user.user.email }),
  'the user got another password': () =>
    test.countersign.users.setPassword({ email: user.user.email, password: 'another correct horse' }),
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

  it('cannot approve a confirmation', async () => {
    const confirmation = await initiatePayment(test, user.web.caller)
    await end()
    const { caller } = user.mobile
    const verify = test.countersign.confirmations.verify({
      caller,
      confirmationId: confirmation.id,
      deviceId: user.device.id,
      signedChallenge: user.signer.sign(confirmation.challenge),
    })
    await expect(verify).rejects.toStrictEqual(new InvalidAccessToken())
    const { status } = await test.countersign.confirmations.status({ caller, confirmationId: confirmation.id })
    expect(status).toBe('pending')
  })
})
