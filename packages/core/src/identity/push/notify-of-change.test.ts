import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { hours, minutes, seconds } from '../../shared/clock.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { registerTestPasskey } from '../../testing/passkeys.ts'
import { type DeviceUser, registerTestDevice, signInNewDeviceUser } from '../../testing/sign-in.ts'

const phoneToken = 'the push token of the phone'

let test: TestCountersign
let user: DeviceUser
beforeEach(async () => {
  test = await createTestCountersign()
  user = await signInNewDeviceUser(test, { pushToken: phoneToken })
  await test.background.drain()
})

/** Runs the background work, and returns for each push token the changes that its messages announced. */
const notices = async (): Promise<readonly [string, string][]> => {
  await test.background.drain()
  return test.push.sent.map((message) => [message.pushToken, message.type === 'account.changed' ? message.change : message.type])
}

describe('the devices of a user are notified', () => {
  it('of another registered device, without its name', async () => {
    await registerTestDevice(test, user.web.caller)
    expect(await notices()).toStrictEqual([[phoneToken, 'device_registered']])
    const now = test.clock.now()
    expect(test.push.sent).toStrictEqual([
      {
        type: 'account.changed',
        noticeId: expect.stringMatching(/^notice_[0-9a-f-]{36}$/),
        change: 'device_registered',
        occurredAt: now,
        expiresAt: now + hours(24),
        pushToken: phoneToken,
        deviceId: user.device.id,
      },
    ])
  })

  it('after the response of the request', async () => {
    await registerTestDevice(test, user.web.caller)
    expect(test.push.sent).toStrictEqual([])
  })

  it('of a removed device, which is notified too', async () => {
    const tablet = await registerTestDevice(test, user.web.caller, { pushToken: 'the token of the tablet' })
    await test.background.drain()
    const before = test.push.sent.length
    await test.countersign.devices.remove({ caller: user.web.caller, deviceId: tablet.device.id })
    expect((await notices()).slice(before)).toStrictEqual([
      [phoneToken, 'device_removed'],
      ['the token of the tablet', 'device_removed'],
    ])
  })

  it('of a removal by an admin', async () => {
    await test.countersign.devices.revoke({ id: user.device.id })
    expect(await notices()).toStrictEqual([[phoneToken, 'device_removed']])
  })

  it('of a new push token, and the former push token gets the message too, under another id', async () => {
    await test.countersign.devices.setPushToken({
      caller: user.web.caller,
      deviceId: user.device.id,
      pushToken: 'the token of a thief',
    })
    expect(await notices()).toStrictEqual([
      ['the token of a thief', 'push_token_changed'],
      [phoneToken, 'push_token_changed'],
    ])
    const ids = test.push.sent.map((message) => message.type === 'account.changed' && message.noticeId)
    expect(new Set(ids).size).toBe(2)
  })

  it('of a push token that another device of the user takes, once', async () => {
    const { device } = await registerTestDevice(test, user.web.caller, { pushToken: 'another token' })
    await test.background.drain()
    const before = test.push.sent.length
    await test.countersign.devices.setPushToken({ caller: user.web.caller, deviceId: device.id, pushToken: phoneToken })
    expect((await notices()).slice(before)).toStrictEqual([
      [phoneToken, 'push_token_changed'],
      ['another token', 'push_token_changed'],
    ])
  })

  it('of a push token that a device of another user takes, and so is the phone that loses it', async () => {
    const tablet = await registerTestDevice(test, user.web.caller, { pushToken: 'the token of the tablet' })
    await test.background.drain()
    const before = test.push.sent.length
    const other = await signInNewDeviceUser(test, { pushToken: phoneToken })
    const told = (await notices()).slice(before)
    expect(told.filter(([, change]) => change === 'push_token_changed')).toStrictEqual([
      ['the token of the tablet', 'push_token_changed'],
      [phoneToken, 'push_token_changed'],
    ])
    expect(test.push.sent.map(({ deviceId }) => deviceId)).toContain(tablet.device.id)
    await initiatePayment(test, { userId: user.user.id })
    expect((await notices()).slice(before + told.length)).toStrictEqual([['the token of the tablet', 'confirmation.requested']])
    await initiatePayment(test, other.web.caller)
    expect((await notices()).at(-1)).toStrictEqual([phoneToken, 'confirmation.requested'])
  })

  it('of a removed push token', async () => {
    await test.countersign.devices.setPushToken({ caller: user.web.caller, deviceId: user.device.id, pushToken: null })
    expect(await notices()).toStrictEqual([[phoneToken, 'push_token_changed']])
  })

  it('not of a push token that is set for the first time, or set again unchanged', async () => {
    await test.countersign.devices.setPushToken({ caller: user.web.caller, deviceId: user.device.id, pushToken: phoneToken })
    const { device } = await registerTestDevice(test, user.web.caller)
    await test.countersign.devices.setPushToken({ caller: user.web.caller, deviceId: device.id, pushToken: 'a first token' })
    expect((await notices()).filter(([, change]) => change === 'push_token_changed')).toStrictEqual([])
  })

  it('of a registered and of a removed passkey', async () => {
    const { passkey } = await registerTestPasskey(test, user.web.caller)
    await test.countersign.passkeys.remove({ caller: user.web.caller, credentialId: passkey.id })
    expect(await notices()).toStrictEqual([
      [phoneToken, 'passkey_registered'],
      [phoneToken, 'passkey_removed'],
    ])
  })

  it('of a new password', async () => {
    await test.countersign.users.setPassword({ email: user.user.email, password: 'another correct horse battery' })
    expect(await notices()).toStrictEqual([[phoneToken, 'password_changed']])
  })

  it('but a device of another user is not', async () => {
    await signInNewDeviceUser(test, { pushToken: 'the token of a stranger' })
    await registerTestDevice(test, user.web.caller)
    expect((await notices()).map(([token]) => token)).toStrictEqual([phoneToken])
  })
})

describe('a device on probation', () => {
  it('is notified neither of changes of the account nor of confirmations', async () => {
    test.clock.advance(minutes(11))
    const { device } = await registerTestDevice(test, user.web.caller, { pushToken: 'the token of a thief' })
    expect(device.trustedAt).toBeNull()
    await test.countersign.users.setPassword({ email: user.user.email, password: 'another correct horse battery' })
    await initiatePayment(test, { userId: user.user.id })
    const first = [
      [phoneToken, 'device_registered'],
      // The vouching for the new device.
      [phoneToken, 'confirmation.requested'],
      [phoneToken, 'password_changed'],
      // The removal of the device on probation, with its vouching.
      [phoneToken, 'confirmation.settled'],
      [phoneToken, 'device_removed'],
    ]
    expect(await notices()).toStrictEqual(first)
    test.clock.advance(seconds(10))
    expect(await notices()).toStrictEqual([...first, [phoneToken, 'confirmation.requested']])
  })
})

describe('no device is notified', () => {
  it('of a change that was refused', async () => {
    const removal = test.countersign.devices.remove({
      caller: user.web.caller,
      deviceId: '00000000-0000-4000-8000-000000000000',
    })
    await expect(removal).rejects.toThrow('Device not found')
    expect(await notices()).toStrictEqual([])
  })
})

describe('a notice that cannot be delivered', () => {
  it('does not undo the change, and is logged without the push token', async () => {
    test.push.failWith(new TypeError(`no such token: ${phoneToken}`))
    await test.countersign.devices.remove({ caller: user.web.caller, deviceId: user.device.id })
    await test.background.drain()
    expect(await test.countersign.devices.list({ caller: user.web.caller })).toStrictEqual([])
    expect(test.logger.entries).toStrictEqual([
      {
        level: 'warn',
        event: 'push_failed',
        fields: { change: 'device_removed', deviceId: user.device.id, reason: 'TypeError' },
      },
    ])
  })
})
