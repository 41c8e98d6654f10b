import type { Output } from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claimsOf } from '../src/testing/claims-of.ts'
import { passkeyLogin, registerPasskey } from '../src/testing/passkeys.ts'
import {
  type DeviceUser,
  deviceLogin,
  initiatePayment,
  type RegisteredDevice,
  registerDevice,
  signInWithDevice,
} from '../src/testing/sign-in.ts'
import { createTestApp, type TestApp } from '../src/testing/test-app.ts'
import { type TestStorage, testStorages } from '../src/testing/test-storages.ts'

const extended = { 'countersign-extended': '1' }
const minutes = (count: number) => count * 60_000
const hours = (count: number) => minutes(60 * count)
const PHONE = 'the push token of the phone'

/** The thief has a web session of the user that is older than ten minutes. The user has a trusted phone. */
describe.each(testStorages)('a stolen web session, on $name', ({ open }) => {
  let opened: TestStorage
  let test: TestApp
  let user: DeviceUser
  let thief: RegisteredDevice
  /** The token of the thief's device. */
  let thiefDeviceToken: string
  let payment: Output<'confirmations.initiate'>

  beforeEach(async () => {
    opened = await open()
    test = await createTestApp({ storage: opened.storage })
    user = await signInWithDevice(test)
    await test.ask('devices.setPushToken', { deviceId: user.device.id, pushToken: PHONE }, { token: user.deviceToken })
    test.clock.advance(minutes(11))
    thief = await registerDevice(test, user.token, { headers: extended })
    thiefDeviceToken = (await deviceLogin(test, thief)).accessToken
    payment = await initiatePayment(test, user.token)
  })
  afterEach(() => opened.remove())

  const refusal = (answer: { readonly status: number; readonly body: unknown }) => [answer.status, answer.body]
  const insufficient = [403, { message: 'Insufficient trust level', statusCode: 403, code: 'insufficient_trust_level' }]

  const approveBy = (
    by: RegisteredDevice,
    token: string,
    { confirmationId, challenge }: Pick<typeof payment, 'confirmationId' | 'challenge'> = payment,
  ) =>
    test.call(
      'confirmations.verify',
      { confirmationId, deviceId: by.device.id, signedChallenge: by.signer.sign(challenge) },
      { token },
    )

  const expectNothingApproved = async () => {
    const stored = await opened.storage.confirmations.byId(payment.confirmationId)
    expect(stored).toMatchObject({ deviceId: null })
    expect(stored?.status).not.toBe('approved')
  }

  it('registers a device as the contract says, but the device is on probation', async () => {
    expect(thief.device).toMatchObject({ trusted: false })
    expect(claimsOf(thiefDeviceToken)).toMatchObject({ trust_level: 'standard', token_use: 'biometric_access' })
    const verified = await test.ask('internal.verify', { serviceName: 'billing' }, { token: thiefDeviceToken })
    expect(verified.claims.trust_level).toBe('standard')
  })

  it('neither lists nor approves with that device', async () => {
    expect(refusal(await test.call('confirmations.pending', {}, { token: thiefDeviceToken }))).toEqual(insufficient)
    expect(refusal(await approveBy(thief, thiefDeviceToken))).toEqual(insufficient)
    await expectNothingApproved()
  })

  it('approves nothing under the name of the phone', async () => {
    const inTheNameOfThePhone = { device: user.device, signer: thief.signer }
    expect(refusal(await approveBy(inTheNameOfThePhone, thiefDeviceToken))).toEqual(insufficient)
    expect(refusal(await approveBy(inTheNameOfThePhone, user.token))).toEqual(insufficient)
    await expectNothingApproved()
  })

  it('gains no trust by a confirmation that it creates itself, even if the user approves it', async () => {
    const forged = await test.ask(
      'confirmations.initiate',
      {
        actionType: 'device_register',
        actionPayload: { deviceName: thief.device.deviceName, deviceType: 'mobile', deviceId: thief.device.id },
      },
      { token: user.token },
    )
    expect(refusal(await approveBy(thief, thiefDeviceToken, forged))).toEqual(insufficient)
    expect((await approveBy(user, (await deviceLogin(test, user)).accessToken, forged)).status).toBe(200)
    expect(refusal(await test.call('confirmations.pending', {}, { token: thiefDeviceToken }))).toEqual(insufficient)
    await expectNothingApproved()
  })

  it('does not become fresh by refreshing, by the new device or by a new passkey', async () => {
    const { accessToken: refreshed } = await test.ask('auth.refresh', { refreshToken: user.tokens.refreshToken })
    const passkey = await registerPasskey(test, refreshed)
    const { accessToken: byPasskey } = await passkeyLogin(test, passkey)
    for (const token of [refreshed, byPasskey, thiefDeviceToken]) {
      const another = await registerDevice(test, token, { headers: extended })
      expect(another.device).toMatchObject({ trusted: false })
      const { accessToken } = await deviceLogin(test, another)
      expect(refusal(await approveBy(another, accessToken))).toEqual(insufficient)
    }
    await expectNothingApproved()
  })

  it('does not make its device trusted by removing the phone and waiting', async () => {
    expect((await test.call('devices.remove', { deviceId: user.device.id }, { token: user.token })).status).toBe(200)
    let { refreshToken } = user.tokens
    for (const wait of [minutes(1), hours(13), hours(48)]) {
      test.clock.advance(wait)
      const tokens = await test.ask('auth.refresh', { refreshToken })
      refreshToken = tokens.refreshToken
      payment = await initiatePayment(test, tokens.accessToken)
      const another = await registerDevice(test, tokens.accessToken, { headers: extended })
      for (const device of [thief, another]) {
        const { accessToken } = await deviceLogin(test, device)
        expect(refusal(await approveBy(device, accessToken))).toEqual(insufficient)
      }
      await expectNothingApproved()
    }
  })

  it('cannot silence the phone: the old push token gets a notice of every change', async () => {
    await test.background.drain()
    await test.ask('devices.setPushToken', { deviceId: user.device.id, pushToken: 'of the thief' }, { token: user.token })
    await test.ask('devices.remove', { deviceId: user.device.id }, { token: user.token })
    await test.background.drain()
    const heard = test.push.sent.flatMap((message) =>
      message.pushToken === PHONE && message.type === 'account.changed' ? [message.change] : [],
    )
    expect(heard).toEqual(['device_registered', 'push_token_changed'])
  })

  it('cannot end the sessions of the user by rejecting as `notMe`', async () => {
    const { confirmationId } = payment
    for (const token of [thiefDeviceToken, user.token]) {
      const answer = await test.call('confirmations.reject', { confirmationId, notMe: true }, { token })
      expect(refusal(answer)).toEqual(insufficient)
    }
    await expectNothingApproved()
  })

  const vouching = async () => {
    const pending = await opened.storage.confirmations.pendingOfUser(user.user.id, test.clock.now())
    const found = pending.find(({ actionType, requestedBy }) => actionType === 'device_register' && requestedBy !== null)
    if (found === undefined) throw new Error('no vouching waits')
    return { confirmationId: found.id, challenge: found.challenge }
  }

  it('does not vouch for its device', async () => {
    const waiting = await vouching()
    expect(refusal(await approveBy(thief, thiefDeviceToken, waiting))).toEqual(insufficient)
    for (const token of [thiefDeviceToken, user.token]) {
      // It can ask again, but not decide.
      const { confirmationId } = await test.ask('devices.vouch', { deviceId: thief.device.id }, { token })
      expect(refusal(await approveBy(thief, thiefDeviceToken, await vouching()))).toEqual(insufficient)
      expect((await test.call('confirmations.reject', { confirmationId }, { token })).status).toBe(403)
      expect((await vouching()).confirmationId).toBe(confirmationId)
    }
    expect(refusal(await test.call('confirmations.pending', {}, { token: thiefDeviceToken }))).toEqual(insufficient)
    await expectNothingApproved()
  })

  it('loses its device and its sessions when the user rejects the vouching on the phone', async () => {
    const { confirmationId } = await vouching()
    const { accessToken } = await deviceLogin(test, user)
    expect((await test.call('confirmations.reject', { confirmationId }, { token: accessToken })).status).toBe(200)
    for (const token of [thiefDeviceToken, user.token]) {
      expect((await test.call('devices.list', {}, { token })).status).toBe(401)
    }
    const devices = await opened.storage.devices.allOfUser(user.user.id)
    expect(devices.map(({ id }) => id)).toEqual([user.device.id])
    await expectNothingApproved()
  })

  it('cannot lock the account of the user', async () => {
    for (const token of [thiefDeviceToken, user.token]) {
      expect(refusal(await test.call('account.lock', {}, { token }))).toEqual(insufficient)
    }
    const { accessToken } = await deviceLogin(test, user)
    expect((await test.call('confirmations.pending', {}, { token: accessToken })).status).toBe(200)
    await expectNothingApproved()
  })

  it('loses its device and its sessions when the user locks the account on the phone', async () => {
    const { accessToken } = await deviceLogin(test, user)
    expect((await test.call('account.lock', {}, { token: accessToken })).status).toBe(200)
    for (const token of [thiefDeviceToken, user.token]) {
      expect((await test.call('devices.list', {}, { token })).status).toBe(401)
    }
    const devices = await opened.storage.devices.allOfUser(user.user.id)
    expect(devices.map(({ id }) => id)).toEqual([user.device.id])
    expect(await opened.storage.confirmations.pendingOfUser(user.user.id, test.clock.now())).toEqual([])
    await expectNothingApproved()
  })

  it('ends when the user rejects on the phone as `notMe`', async () => {
    const { accessToken } = await deviceLogin(test, user)
    const { confirmationId } = payment
    expect((await test.call('confirmations.reject', { confirmationId, notMe: true }, { token: accessToken })).status).toBe(200)
    expect((await test.call('devices.list', {}, { token: user.token })).status).toBe(401)
    expect((await test.call('auth.refresh', { refreshToken: user.tokens.refreshToken })).status).toBe(401)
    expect((await test.call('devices.list', {}, { token: accessToken })).status).toBe(200)
    await expectNothingApproved()
  })
})
