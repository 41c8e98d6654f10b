import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { createTestUser, registerTestDevice, signInByDevice, signInNewDeviceUser, signInNewUser } from '../../testing/sign-in.ts'
import { DeviceNotFound, InvalidBiometricToken } from './errors.ts'

const unknownId = '00000000-0000-4000-8000-000000000000'

let test: TestCountersign
beforeEach(async () => {
  test = await createTestCountersign()
})

describe('removing a device', () => {
  it('ends its sessions: access and refresh tokens are refused immediately', async () => {
    const { countersign } = test
    const { device, web, mobile } = await signInNewDeviceUser(test)
    await countersign.devices.remove({ caller: web.caller, deviceId: device.id })
    await expect(countersign.auth.authenticate({ token: mobile.tokens.accessToken })).rejects.toThrow('Invalid or expired token')
    await expect(countersign.mobile.refresh({ refreshToken: mobile.tokens.refreshToken })).rejects.toThrow(
      'Invalid refresh token',
    )
    expect(await test.storage.sessions.byId(mobile.caller.sessionId)).toMatchObject({ endReason: 'device_removed' })
  })

  it('keeps the sessions of the password and of other devices', async () => {
    const { device, web } = await signInNewDeviceUser(test)
    const other = await signInByDevice(test, await registerTestDevice(test, web.caller))
    await test.countersign.devices.remove({ caller: web.caller, deviceId: device.id })
    await expect(test.countersign.auth.authenticate({ token: other.tokens.accessToken })).resolves.toBeDefined()
    await expect(test.countersign.auth.authenticate({ token: web.tokens.accessToken })).resolves.toBeDefined()
  })

  it('removes the device from every list', async () => {
    const { device, web, user } = await signInNewDeviceUser(test)
    await test.countersign.devices.remove({ caller: web.caller, deviceId: device.id })
    expect(await test.countersign.devices.list({ caller: web.caller })).toStrictEqual([])
    expect(await test.countersign.devices.listOfUser({ email: user.email })).toStrictEqual([])
  })

  it('prevents its logins, even with an earlier challenge', async () => {
    const { device, signer, web } = await signInNewDeviceUser(test)
    const { id, challenge } = await test.countersign.mobile.beginLogin({ deviceFingerprint: device.deviceFingerprint })
    await test.countersign.devices.remove({ caller: web.caller, deviceId: device.id })
    const finishing = test.countersign.mobile.finishLogin({ sessionId: id, signedChallenge: signer.sign(challenge) })
    await expect(finishing).rejects.toThrow(InvalidBiometricToken)
    await expect(signInByDevice(test, { device, signer })).rejects.toThrow(InvalidBiometricToken)
  })

  it('frees its fingerprint for a device with another id', async () => {
    const { device, signer, web } = await signInNewDeviceUser(test)
    await test.countersign.devices.remove({ caller: web.caller, deviceId: device.id })
    const again = await registerTestDevice(test, web.caller, { signer, deviceFingerprint: device.deviceFingerprint })
    expect(again.device.id).not.toBe(device.id)
    expect((await signInByDevice(test, again)).caller.deviceId).toBe(again.device.id)
  })

  it('succeeds once, and is answered as not found the second time', async () => {
    const { device, web } = await signInNewDeviceUser(test)
    const remove = () => test.countersign.devices.remove({ caller: web.caller, deviceId: device.id })
    await remove()
    await expect(remove()).rejects.toThrow(DeviceNotFound)
  })

  it('is possible from the device itself, and with its id in capitals', async () => {
    const { device, mobile } = await signInNewDeviceUser(test)
    await test.countersign.devices.remove({ caller: mobile.caller, deviceId: device.id.toUpperCase() })
    expect(await test.countersign.devices.list({ caller: mobile.caller })).toStrictEqual([])
  })

  it('of another user fails like the removal of an unknown device, and changes nothing', async () => {
    const { device, mobile } = await signInNewDeviceUser(test)
    const stranger = (await signInNewUser(test)).caller
    for (const deviceId of [device.id, unknownId]) {
      await expect(test.countersign.devices.remove({ caller: stranger, deviceId })).rejects.toStrictEqual(new DeviceNotFound())
    }
    await expect(test.countersign.auth.authenticate({ token: mobile.tokens.accessToken })).resolves.toBeDefined()
  })

  it('refuses a malformed id, and names the field', async () => {
    const { caller } = await signInNewUser(test)
    await expect(test.countersign.devices.remove({ caller, deviceId: '../7' })).rejects.toThrow('deviceId: must be a UUID')
  })
})

describe('an admin', () => {
  it('removes the device of any user by its id, and ends its sessions', async () => {
    const { device, mobile } = await signInNewDeviceUser(test)
    expect(await test.countersign.devices.revoke({ id: device.id })).toMatchObject({ id: device.id })
    await expect(test.countersign.auth.authenticate({ token: mobile.tokens.accessToken })).rejects.toThrow(
      'Invalid or expired token',
    )
    await expect(test.countersign.devices.revoke({ id: device.id })).rejects.toThrow(DeviceNotFound)
    await expect(test.countersign.devices.revoke({ id: unknownId })).rejects.toThrow(DeviceNotFound)
  })

  it('lists the devices of a user by email, in any spelling', async () => {
    const { device, user } = await signInNewDeviceUser(test)
    expect((await test.countersign.devices.listOfUser({ email: user.email.toUpperCase() })).map(({ id }) => id)).toStrictEqual([
      device.id,
    ])
    const other = await createTestUser(test)
    expect(await test.countersign.devices.listOfUser({ email: other.email })).toStrictEqual([])
    await expect(test.countersign.devices.listOfUser({ email: 'nobody@example.test' })).rejects.toThrow('User not found')
  })
})
