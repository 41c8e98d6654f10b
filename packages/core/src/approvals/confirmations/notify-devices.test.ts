import { beforeEach, describe, expect, it } from 'vitest'
import { Unavailable } from '../../shared/errors.ts'
import { createTestCountersign, type TestCountersign } from '../../testing/create-test-countersign.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { type DeviceUser, registerTestDevice, signInNewDeviceUser, signInNewUser } from '../../testing/sign-in.ts'

const pushToken = 'canary-push-token-1'

let test: TestCountersign
let user: DeviceUser
beforeEach(async () => {
  test = createTestCountersign()
  user = await signInNewDeviceUser(test, { pushToken })
})

describe('a push message', () => {
  it('is sent after the answer, not before', async () => {
    await initiatePayment(test, user.web.caller)
    expect(test.push.sent).toStrictEqual([])
    expect(test.background.waiting).toBe(1)
    await test.background.drain()
    expect(test.push.sent).toHaveLength(1)
  })

  it('says what waits and of what type, and nothing of the payload', async () => {
    const { id, expiresAt } = await initiatePayment(test, user.web.caller)
    await test.background.drain()
    expect(test.push.sent).toStrictEqual([
      { pushToken, deviceId: user.device.id, confirmationId: id, actionType: 'payment_approval', expiresAt },
    ])
  })

  it('goes to every active device of the user that has a push token, and to no other', async () => {
    const second = await registerTestDevice(test, user.web.caller, { pushToken: 'another token' })
    await registerTestDevice(test, user.web.caller)
    const removed = await registerTestDevice(test, user.web.caller, { pushToken: 'a token of the past' })
    await test.countersign.devices.remove({ caller: user.web.caller, deviceId: removed.device.id })
    await signInNewDeviceUser(test, { pushToken: 'the token of a stranger' })
    await initiatePayment(test, user.web.caller)
    await test.background.drain()
    const reached = test.push.sent.map((message) => [message.deviceId, message.pushToken])
    expect(reached.sort()).toStrictEqual(
      [
        [user.device.id, pushToken],
        [second.device.id, 'another token'],
      ].sort(),
    )
  })

  it('is sent to nobody where no device has a push token, which is no failure', async () => {
    await initiatePayment(test, (await signInNewDeviceUser(test)).web.caller)
    await initiatePayment(test, (await signInNewUser(test)).caller)
    await test.background.drain()
    expect(test.push.sent).toStrictEqual([])
    expect(test.logger.entries).toStrictEqual([])
  })

  it('is not sent for what was refused', async () => {
    const actionPayload = { amount: -1, currency: 'EUR', recipient: 'ACME' }
    const refused = test.countersign.confirmations.initiate({
      caller: user.web.caller,
      actionType: 'payment_approval',
      actionPayload,
    })
    await expect(refused).rejects.toThrow('must be a number, or a decimal number as text, that is not negative')
    expect(test.background.waiting).toBe(0)
  })
})

describe('a provider that fails', () => {
  it('fails nothing: the confirmation waits as ever', async () => {
    test.push.failWith(new Error('the push service is away'))
    const { id } = await initiatePayment(test, user.web.caller)
    await expect(test.background.drain()).resolves.toBeUndefined()
    expect(await test.countersign.confirmations.pending({ caller: user.mobile.caller })).toMatchObject([{ id }])
  })

  it('is told to the log for each device, without the token and without what the provider said', async () => {
    const { device } = await registerTestDevice(test, user.web.caller, { pushToken: 'canary-push-token-2' })
    test.push.failWith(new TypeError(`no such token: ${pushToken}`))
    const { id } = await initiatePayment(test, user.web.caller, { recipient: 'canary-recipient' })
    await test.background.drain()
    expect(test.logger.entries).toHaveLength(2)
    expect(test.logger.entries).toStrictEqual(
      expect.arrayContaining(
        [user.device.id, device.id].map((deviceId) => ({
          level: 'warn',
          event: 'push_failed',
          fields: { confirmationId: id, deviceId, reason: 'TypeError' },
        })),
      ),
    )
    expect(JSON.stringify(test.logger.entries)).not.toContain('canary')
  })

  it('does not keep the others from being told, where one device’s token cannot be opened', async () => {
    const rotated = createTestCountersign({ ...test, encryptionKeys: createTestCountersign().encryptionKeys })
    const { device } = await registerTestDevice(rotated, user.web.caller, { pushToken: 'a readable token' })
    await initiatePayment(rotated, user.web.caller)
    await rotated.background.drain()
    expect(rotated.push.sent.map(({ deviceId }) => deviceId)).toStrictEqual([device.id])
    expect(rotated.logger.entries).toMatchObject([
      { event: 'push_failed', fields: { deviceId: user.device.id, reason: 'FieldNotOpened' } },
    ])
  })

  it('is not even asked where the database is away', async () => {
    await initiatePayment(test, user.web.caller)
    await test.storage.close()
    await expect(test.background.drain()).resolves.toBeUndefined()
    expect(test.push.sent).toStrictEqual([])
    expect(test.logger.entries).toMatchObject([{ event: 'push_failed', fields: { reason: Unavailable.name } }])
  })
})
