import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { minutes } from '../../shared/clock.ts'
import { NothingToChange } from '../../shared/errors.ts'
import { registerTestPasskey } from '../../testing/passkeys.ts'
import { registerTestDevice, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { DeviceNotFound } from '../devices/errors.ts'
import { PasskeyNotFound } from '../passkeys/errors.ts'

/** Prepares a user with a trusted phone, and with a device and a passkey on probation. */
const given = async () => {
  const test = await createTestCountersign()
  const user = await signInNewDeviceUser(test, { pushToken: 'token of a phone' })
  test.clock.advance(minutes(11))
  const { device } = await registerTestDevice(test, user.web.caller)
  const { passkey } = await registerTestPasskey(test, user.web.caller)
  return { test, ...user, added: { device, passkey } }
}

describe('trust by an admin', () => {
  it('is refused for an unknown passkey or device, and makes no other trusted', async () => {
    const { test, web } = await given()
    await expect(test.countersign.passkeys.trust({ id: 'unknown' })).rejects.toThrow(PasskeyNotFound)
    await expect(test.countersign.devices.trust({ id: 'unknown' })).rejects.toThrow(DeviceNotFound)
    expect(await test.countersign.passkeys.list({ caller: web.caller })).toMatchObject([{ trusted: false }])
    expect(await test.countersign.devices.list({ caller: web.caller })).toMatchObject([{ trusted: true }, { trusted: false }])
  })

  it('is refused for a passkey or device that is removed at the same time', async () => {
    const { test, user, added } = await given()
    const { storage } = test
    const removing: typeof storage.trust = {
      ...storage.trust,
      makeTrusted: ({ userId, kind, id }, now) =>
        kind === 'device' ? storage.devices.remove(userId, id, now) : storage.passkeys.remove(userId, id, now),
    }
    const { countersign } = await createTestCountersign({ ...test, storage: { ...storage, trust: removing } })
    await expect(countersign.passkeys.trust({ id: added.passkey.id })).rejects.toThrow(PasskeyNotFound)
    await expect(countersign.devices.trust({ id: added.device.id })).rejects.toThrow(DeviceNotFound)
    expect(await storage.passkeys.allOfUser(user.id)).toStrictEqual([])
  })

  it('returns the named passkey if the user has several', async () => {
    const { test, web, added } = await given()
    const other = await registerTestPasskey(test, web.caller)
    for (const { id } of [other.passkey, added.passkey]) {
      expect(await test.countersign.passkeys.trust({ id })).toMatchObject({ id, trusted: true })
    }
  })

  it('is announced to the user once', async () => {
    const { test, added } = await given()
    const told = async () => {
      await test.background.drain()
      return test.push.sent.filter((message) => JSON.stringify(message).includes('trust_changed')).length
    }
    expect(await told()).toBe(0)
    await test.countersign.passkeys.trust({ id: added.passkey.id })
    await expect(test.countersign.passkeys.trust({ id: added.passkey.id })).rejects.toThrow(NothingToChange)
    expect(await told()).toBe(1)
    await test.countersign.devices.trust({ id: added.device.id })
    await expect(test.countersign.devices.trust({ id: added.device.id })).rejects.toThrow(NothingToChange)
    expect(await told()).toBe(2)
  })
})
