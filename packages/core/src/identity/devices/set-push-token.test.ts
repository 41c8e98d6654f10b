import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { systemRandom } from '../../shared/random.ts'
import { digestKeyOf } from '../../testing/a-digest-key.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { registerTestPasskey, signInByPasskey, signInNewPasskeyUser } from '../../testing/passkeys.ts'
import { registerTestDevice, signInNewDeviceUser, signInNewUser } from '../../testing/sign-in.ts'
import { aKeyRing } from '../../testing/test-keys.ts'
import type { Notice } from '../push/notify-of-change.ts'
import { PushTokenGone } from '../push/push-provider.ts'
import { openPushToken, sealPushToken } from '../push/push-token.ts'
import { DeviceNotFound } from './errors.ts'

const pushToken = 'canary-push-token-7f3a'

let test: TestCountersign
beforeEach(async () => {
  test = await createTestCountersign()
})

describe('a push token', () => {
  it('is stored encrypted, and can be decrypted only for its device', async () => {
    const { device, web } = await signInNewDeviceUser(test)
    test.clock.advance(seconds(3))
    await test.countersign.devices.setPushToken({ caller: web.caller, deviceId: device.id, pushToken, language: 'de' })
    const kept = await test.storage.devices.ofUser(web.caller.userId, device.id)
    if (kept?.pushToken == null) throw new Error('the push token is kept')
    expect(kept.updatedAt).toBe(test.clock.now())
    expect(JSON.stringify(kept)).not.toContain(pushToken)
    expect(JSON.stringify(kept)).not.toContain(Buffer.from(pushToken).toString('base64url'))
    expect(openPushToken(test, device.id, kept.pushToken)).toEqual({
      pushToken,
      setAt: test.clock.now(),
      language: 'de',
    })
    expect(() =>
      openPushToken(test, '00000000-0000-4000-8000-000000000000', kept.pushToken as NonNullable<typeof kept.pushToken>),
    ).toThrow('moved or changed')
  })

  it('is encrypted with fresh randomness, so that equal tokens look different', async () => {
    const { device, web } = await signInNewDeviceUser(test)
    const sealed = async () => {
      await test.countersign.devices.setPushToken({ caller: web.caller, deviceId: device.id, pushToken })
      return (await test.storage.devices.ofUser(web.caller.userId, device.id))?.pushToken
    }
    expect(await sealed()).not.toBe(await sealed())
  })

  it('replaces the previous push token', async () => {
    const { device, web } = await signInNewDeviceUser(test, { pushToken: 'an older one' })
    await test.countersign.devices.setPushToken({ caller: web.caller, deviceId: device.id, pushToken })
    const kept = await test.storage.devices.ofUser(web.caller.userId, device.id)
    expect(kept?.pushToken && openPushToken(test, device.id, kept.pushToken)).toMatchObject({ pushToken })
  })

  it('is removed from every other device, also of another user', async () => {
    const first = await signInNewDeviceUser(test, { pushToken })
    const second = await signInNewDeviceUser(test, { pushToken })
    const tokenOf = async ({ device, user }: typeof first) =>
      (await test.storage.devices.ofUser(user.id, device.id))?.pushToken ?? null
    expect(await tokenOf(first)).toBeNull()
    expect(await tokenOf(second)).not.toBeNull()
    await test.countersign.devices.setPushToken({ caller: first.web.caller, deviceId: first.device.id, pushToken })
    expect(await tokenOf(second)).toBeNull()
  })

  it('that replaces one whose key is gone is reported, because nobody knows whether the two differ', async () => {
    const { device, web } = await signInNewDeviceUser(test, { pushToken })
    const lost = { ...test, encryptionKeys: aKeyRing(), random: systemRandom, digestKey: digestKeyOf(test) }
    const sealed = await sealPushToken(lost, device.id, { pushToken, setAt: test.clock.now() })
    await test.storage.devices.setPushToken(web.caller.userId, device.id, sealed, test.clock.now())
    await test.countersign.devices.setPushToken({ caller: web.caller, deviceId: device.id, pushToken })
    await test.background.drain()
    expect(test.push.sent).toMatchObject([{ type: 'account.changed', change: 'push_token_changed', pushToken }])
  })

  it('that moves to another device is reported once to each user who loses it', async () => {
    const told: number[] = []
    const onNotice = ({ userId, change }: Notice) => void (change === 'push_token_changed' && told.push(userId))
    const test = await createTestCountersign({ onNotice })
    const first = await signInNewDeviceUser(test, { pushToken })
    const second = await signInNewDeviceUser(test, { pushToken: 'an older one' })
    const other = await registerTestDevice(test, second.web.caller, { pushToken: 'of another device' })
    const set = async (token: string) => {
      await test.countersign.devices.setPushToken({ caller: second.web.caller, deviceId: second.device.id, pushToken: token })
      await test.background.drain()
      return told.splice(0)
    }
    await test.background.drain()
    expect(told.splice(0)).toStrictEqual([])
    expect(await set(pushToken)).toStrictEqual([second.user.id, first.user.id])
    expect(await set(pushToken)).toStrictEqual([])
    expect(await set('of another device')).toStrictEqual([second.user.id])
    expect((await test.storage.devices.ofUser(second.user.id, other.device.id))?.pushToken).toBeNull()
    await test.countersign.devices.setPushToken({
      caller: first.web.caller,
      deviceId: first.device.id,
      pushToken: 'of another device',
    })
    await test.background.drain()
    expect(told).toStrictEqual([second.user.id])
  })

  it('that another user takes is reported on the phone that loses it, also if its user has no other phone', async () => {
    const loser = await signInNewDeviceUser(test, { pushToken })
    const taker = await signInNewDeviceUser(test, { pushToken: 'an older one' })
    await test.background.drain()
    const before = test.push.sent.length
    await test.countersign.devices.setPushToken({ caller: taker.web.caller, deviceId: taker.device.id, pushToken })
    await test.background.drain()
    const sent = test.push.sent.slice(before).filter(({ deviceId }) => deviceId === loser.device.id)
    expect(sent).toMatchObject([{ type: 'account.changed', change: 'push_token_changed', pushToken }])
  })

  it('is removed by null, and the device gets no more messages', async () => {
    const { device, web } = await signInNewDeviceUser(test, { pushToken })
    await test.countersign.devices.setPushToken({ caller: web.caller, deviceId: device.id, pushToken: null })
    expect((await test.storage.devices.ofUser(web.caller.userId, device.id))?.pushToken).toBeNull()
  })

  it('cannot be set for a removed or unknown device, or for the device of another user', async () => {
    const { device, web } = await signInNewDeviceUser(test)
    const stranger = (await signInNewUser(test)).caller
    const set = (caller: typeof stranger, deviceId: string) =>
      test.countersign.devices.setPushToken({ caller, deviceId, pushToken })
    await expect(set(stranger, device.id)).rejects.toStrictEqual(new DeviceNotFound())
    await expect(set(web.caller, '00000000-0000-4000-8000-000000000000')).rejects.toStrictEqual(new DeviceNotFound())
    await test.countersign.devices.remove({ caller: web.caller, deviceId: device.id })
    await expect(set(web.caller, device.id)).rejects.toStrictEqual(new DeviceNotFound())
  })

  it('has 1 to 4096 characters', async () => {
    const { device, web } = await signInNewDeviceUser(test)
    const set = (text: string) =>
      test.countersign.devices.setPushToken({ caller: web.caller, deviceId: device.id, pushToken: text })
    await expect(set('𝕏'.repeat(4096))).resolves.toBeUndefined()
    await expect(set('')).rejects.toThrow('pushToken: must be text of 1 to 4096 characters')
    await expect(set('x'.repeat(4097))).rejects.toThrow('pushToken: must be text of 1 to 4096 characters')
  })

  it('of a browser is its endpoint, whatever else the JSON of the subscription says', async () => {
    const told: number[] = []
    const onNotice = ({ userId, change }: Notice) => void (change === 'push_token_changed' && told.push(userId))
    const test = await createTestCountersign({ onNotice })
    const keys = { p256dh: 'BCVx', auth: 'BTBZ' }
    const first = await signInNewDeviceUser(test, {
      pushToken: JSON.stringify({ endpoint: 'https://push.example.com/a', expirationTime: null, keys }),
    })
    const second = await signInNewDeviceUser(test)
    const set = async (caller: typeof first.web.caller, deviceId: string, token: object) => {
      await test.countersign.devices.setPushToken({ caller, deviceId, pushToken: JSON.stringify(token) })
      await test.background.drain()
      return told.splice(0)
    }
    await test.background.drain()
    // The same browser writes its subscription in another way.
    const again = { keys, endpoint: 'https://PUSH.example.com:443/a#x' }
    expect(await set(first.web.caller, first.device.id, again)).toEqual([])
    // With other keys, the browser reads no message, so its user gets a notice.
    expect(await set(first.web.caller, first.device.id, { ...again, keys: { ...keys, auth: 'CCCC' } })).toEqual([first.user.id])
    expect(await set(second.web.caller, second.device.id, { endpoint: 'https://push.example.com/a' })).toEqual([first.user.id])
    expect((await test.storage.devices.ofUser(first.user.id, first.device.id))?.pushToken).toBeNull()
  })

  it('that the push provider refuses is not stored', async () => {
    const { device, web } = await signInNewDeviceUser(test, { pushToken })
    const before = (await test.storage.devices.ofUser(web.caller.userId, device.id))?.pushToken
    Object.assign(test.push, { faultOf: async (token: string) => (token === 'bad' ? 'must be good' : undefined) })
    const set = (text: string) =>
      test.countersign.devices.setPushToken({ caller: web.caller, deviceId: device.id, pushToken: text })
    await expect(set('bad')).rejects.toThrow(new Invalid({ pushToken: 'must be good' }))
    expect((await test.storage.devices.ofUser(web.caller.userId, device.id))?.pushToken).toBe(before)
    await expect(set('good')).resolves.toBeUndefined()
  })
})

describe('a push token of a passkey', () => {
  /** A user whose passkey has the push token, with a session of the passkey. */
  const givenPasskey = async (token: string | null = pushToken) => {
    const user = await signInNewPasskeyUser(test)
    const { caller } = await signInByPasskey(test, user.virtual)
    const set = (next: string | null) => test.countersign.devices.setPushToken({ caller, pushToken: next })
    if (token !== null) await set(token)
    await sent()
    return { ...user, caller, set }
  }
  let read = 0
  beforeEach(() => {
    read = 0
  })
  /** Returns what was sent since the last call. */
  const sent = async () => {
    await test.background.drain()
    const from = read
    read = test.push.sent.length
    return test.push.sent
      .slice(from)
      .map((message) => [message.pushToken, message.type === 'account.changed' ? message.change : message.type])
  }

  it('gets the messages of its user, is encrypted, and is replaced and removed', async () => {
    const { user, passkey, set } = await givenPasskey('an older one')
    await set(pushToken)
    expect(await sent()).toStrictEqual([
      [pushToken, 'push_token_changed'],
      ['an older one', 'push_token_changed'],
    ])
    const [kept, ...others] = await test.storage.passkeys.pushTokensOf(user.id)
    expect(others).toEqual([])
    expect(kept).toMatchObject({ passkeyId: passkey.id, userId: user.id })
    expect(JSON.stringify(kept)).not.toContain(pushToken)
    await initiatePayment(test, { userId: user.id })
    expect(await sent()).toStrictEqual([[pushToken, 'confirmation.requested']])
    expect(await test.countersign.devices.testPush({ email: user.email })).toMatchObject([{ outcome: 'delivered' }])
    await sent()
    await set(null)
    expect(await test.storage.passkeys.pushTokensOf(user.id)).toEqual([])
  })

  it('gets no message on probation', async () => {
    const { caller, user } = await signInNewPasskeyUser(test)
    test.clock.advance(minutes(11))
    const added = await registerTestPasskey(test, caller)
    const session = await signInByPasskey(test, added.virtual)
    await test.countersign.devices.setPushToken({ caller: session.caller, pushToken })
    await sent()
    await initiatePayment(test, { userId: user.id })
    expect(await sent()).toStrictEqual([])
  })

  it('is removed with the passkey, and learns of the removal', async () => {
    const { passkey, user, caller } = await givenPasskey()
    await test.countersign.passkeys.remove({ caller, credentialId: passkey.id })
    expect(await sent()).toStrictEqual([[pushToken, 'passkey_removed']])
    expect(await test.storage.passkeys.pushTokensOf(user.id)).toEqual([])
  })

  it('moves to a device that sets it, and to a passkey of another user, who are told', async () => {
    const first = await givenPasskey()
    const tokensOf = async (userId: number) => (await test.storage.passkeys.pushTokensOf(userId)).length
    const { device, user } = await signInNewDeviceUser(test, { pushToken })
    expect(await tokensOf(first.user.id)).toBe(0)
    expect(await sent()).toContainEqual([pushToken, 'push_token_changed'])
    const second = await givenPasskey()
    expect(await tokensOf(second.user.id)).toBe(1)
    expect((await test.storage.devices.ofUser(user.id, device.id))?.pushToken).toBeNull()
    await second.set(pushToken)
    expect(await tokensOf(second.user.id)).toBe(1)
    expect(await sent()).toStrictEqual([])
  })

  it('is forgotten when the push service no longer knows it', async () => {
    const { user } = await givenPasskey()
    test.push.failWith(new PushTokenGone())
    await initiatePayment(test, { userId: user.id })
    await test.background.drain()
    expect(await test.storage.passkeys.pushTokensOf(user.id)).toEqual([])
  })

  it('is refused in a session that no passkey opened', async () => {
    const { web } = await signInNewDeviceUser(test)
    const setting = test.countersign.devices.setPushToken({ caller: web.caller, pushToken })
    await expect(setting).rejects.toMatchObject({ fields: { deviceId: 'must be a UUID' } })
  })

  it('is in the export of the user as a fact only', async () => {
    const { user } = await givenPasskey()
    const { passkeys } = await test.countersign.users.export({ email: user.email })
    expect(passkeys).toMatchObject([{ hasPushToken: true }])
    expect(JSON.stringify(passkeys)).not.toContain(pushToken)
  })
})
