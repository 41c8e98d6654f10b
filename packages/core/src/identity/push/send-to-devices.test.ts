import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it, vi } from 'vitest'
import { systemRandom } from '../../shared/random.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { registerTestDevice, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { PushTokenGone } from './push-provider.ts'
import { sealPushToken } from './push-token.ts'

const given = async () => {
  const test = await createTestCountersign()
  const user = await signInNewDeviceUser(test, { pushToken: 'the token of the phone' })
  await test.background.drain()
  const tokenOf = async () => (await test.storage.devices.ofUser(user.user.id, user.device.id))?.pushToken
  return { ...test, ...user, tokenOf }
}

describe('a push token that is gone', () => {
  it('is removed, and no further message is sent to it', async () => {
    const test = await given()
    test.push.failWith(new PushTokenGone())
    for (let time = 0; time < 3; time += 1) {
      await initiatePayment(test, test.web.caller)
      await test.background.drain()
    }
    expect(await test.tokenOf()).toBeNull()
    expect(test.push.sent).toHaveLength(1)
    expect(test.logger.entries).toStrictEqual([
      { level: 'info', event: 'push_token_removed', fields: { deviceId: test.device.id } },
    ])
  })

  it('does not cause the removal of a token that the device has set meanwhile', async () => {
    const test = await given()
    vi.spyOn(test.push, 'send').mockImplementationOnce(async () => {
      const { caller } = test.web
      await test.countersign.devices.setPushToken({ caller, deviceId: test.device.id, pushToken: 'a fresh token' })
      throw new PushTokenGone()
    })
    await initiatePayment(test, test.web.caller)
    await test.background.drain()
    expect(test.push.send).toHaveBeenCalled()
    expect(await test.tokenOf()).not.toBeNull()
  })
})

describe('a push token that has been gone since a time', () => {
  const send = async (since: (setAt: number) => number) => {
    const test = await given()
    const setAt = test.clock.now()
    test.clock.advance(10_000)
    test.push.failWith(new PushTokenGone(since(setAt)))
    await initiatePayment(test, test.web.caller)
    await test.background.drain()
    return {
      kept: (await test.tokenOf()) !== null,
      logged: test.logger.entries.map(({ event, fields }) => [event, fields?.reason]),
    }
  }

  it('stays if the app set it later, and the failed message is logged', async () => {
    expect(await send((setAt) => setAt - 1)).toEqual({ kept: true, logged: [['push_failed', 'PushTokenSetSince']] })
  })

  it('is removed if the app set it at that time or earlier', async () => {
    expect(await send((setAt) => setAt)).toEqual({ kept: false, logged: [['push_token_removed', undefined]] })
    expect(await send((setAt) => setAt + 1)).toEqual({ kept: false, logged: [['push_token_removed', undefined]] })
  })
})

describe('a push token of two devices, stored before tokens had a digest', () => {
  it('gets each message once, for the newer device', async () => {
    const test = await given()
    test.clock.advance(1)
    const newer = await registerTestDevice(test, test.web.caller)
    const deps = { ...test, random: systemRandom, digestKey: async () => new Uint8Array(32) }
    const { sealed } = await sealPushToken(deps, newer.device.id, {
      pushToken: 'the token of the phone',
      setAt: test.clock.now(),
    })
    const stored = { sealed, digest: 'of an earlier version' }
    await test.storage.devices.setPushToken(test.user.id, newer.device.id, stored, test.clock.now())
    await test.background.drain()
    const before = test.push.sent.length
    await initiatePayment(test, test.web.caller)
    await test.background.drain()
    expect(test.push.sent.slice(before)).toMatchObject([{ deviceId: newer.device.id, pushToken: 'the token of the phone' }])
  })
})
