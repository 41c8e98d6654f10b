import { keyAlgorithms } from '@countersign/contract'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { seconds } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { anAnnouncement, registerTestDevice, signInByDevice, signInNewDeviceUser, signInNewUser } from '../../testing/sign-in.ts'
import { createTestDevice, type TestDevice } from '../../testing/test-device.ts'
import { InvalidBiometricToken } from './errors.ts'

const refused = new InvalidBiometricToken()

const begin = ({ countersign }: TestCountersign, deviceFingerprint: string) =>
  countersign.mobile.beginLogin({ deviceFingerprint })
const finish = ({ countersign }: TestCountersign, sessionId: string, signedChallenge: string) =>
  countersign.mobile.finishLogin({ sessionId, signedChallenge })

const loginWith = async (test: TestCountersign, deviceFingerprint: string, signer: TestDevice) => {
  const { id, challenge } = await begin(test, deviceFingerprint)
  return finish(test, id, signer.sign(challenge))
}

describe('a device login', () => {
  it.each(keyAlgorithms)('opens a session for the device that signed with %s, and records the use', async (algorithm) => {
    const test = await createTestCountersign()
    const { caller: owner } = await signInNewUser(test)
    const registered = await registerTestDevice(test, owner, { algorithm })
    test.clock.advance(seconds(5))
    const { caller } = await signInByDevice(test, registered)
    expect(caller).toMatchObject({ userId: owner.userId, deviceId: registered.device.id, trustLevel: 'high' })
    expect(await test.countersign.devices.list({ caller })).toMatchObject([{ lastUsedAt: test.clock.now() }])
  })

  it('opens a session under the id of the challenge, and every token names the session', async () => {
    const test = await createTestCountersign()
    const { device, signer, user } = await signInNewDeviceUser(test)
    const { id, challenge } = await begin(test, device.deviceFingerprint)
    const { accessToken, refreshToken } = await finish(test, id, signer.sign(challenge))
    const next = await test.countersign.mobile.refresh({ refreshToken })
    for (const token of [accessToken, refreshToken, next.accessToken, next.refreshToken]) {
      expect(decodeJwt(token)).toMatchObject({ session_id: id })
    }
    expect(await test.countersign.sessions.list({ email: user.email })).toContainEqual(
      expect.objectContaining({ id, kind: 'biometric', deviceId: device.id }),
    )
  })

  it('allows one attempt per challenge: a wrong signature consumes the challenge', async () => {
    const test = await createTestCountersign()
    const { device, signer } = await signInNewDeviceUser(test)
    const { id, challenge } = await begin(test, device.deviceFingerprint)
    await expect(finish(test, id, createTestDevice('ES256').sign(challenge))).rejects.toStrictEqual(refused)
    await expect(finish(test, id, signer.sign(challenge))).rejects.toStrictEqual(refused)
  })

  it.each(['locked', 'disabled'] as const)(
    'says to the holder of the key only that the account is %s, and since when',
    async (reason) => {
      const test = await createTestCountersign()
      const { device, signer, user } = await signInNewDeviceUser(test)
      const { lock, disable, unlock, enable } = test.countersign.users
      await (reason === 'locked' ? lock : disable)({ email: user.email })
      const since = new Date(test.clock.now()).toISOString()
      test.clock.advance(seconds(5))
      const login = (by: TestDevice) => loginWith(test, device.deviceFingerprint, by)
      await expect(login(signer)).rejects.toMatchObject({ code: 'account_locked', details: { reason, since } })
      await expect(login(createTestDevice('ES256'))).rejects.toStrictEqual(refused)
      await (reason === 'locked' ? unlock : enable)({ email: user.email })
      expect(await login(signer)).toHaveProperty('accessToken')
    },
  )

  it('can be completed until the challenge expires, to the millisecond', async () => {
    const test = await createTestCountersign()
    const { device, signer } = await signInNewDeviceUser(test)
    const [first, second] = [await begin(test, device.deviceFingerprint), await begin(test, device.deviceFingerprint)]
    expect(first.expiresAt).toBe(test.clock.now() + seconds(120))
    test.clock.set(first.expiresAt - 1)
    await expect(finish(test, first.id, signer.sign(first.challenge))).resolves.toBeDefined()
    test.clock.set(second.expiresAt)
    await expect(finish(test, second.id, signer.sign(second.challenge))).rejects.toStrictEqual(refused)
  })

  it('refuses a malformed signature as invalid input, without consuming the challenge', async () => {
    const test = await createTestCountersign()
    const { device, signer } = await signInNewDeviceUser(test)
    const { id, challenge } = await begin(test, device.deviceFingerprint)
    await expect(finish(test, id, 'AA A')).rejects.toThrow(Invalid)
    await expect(finish(test, 'no-uuid', signer.sign(challenge))).rejects.toThrow('sessionId: must be a UUID')
    await expect(finish(test, id, signer.sign(challenge))).resolves.toBeDefined()
  })

  it('is refused with the same error for an unknown fingerprint, an unknown challenge and a registration challenge', async () => {
    const test = await createTestCountersign()
    const { signer, web } = await signInNewDeviceUser(test)
    const { countersign } = test
    await expect(loginWith(test, 'nobody has this', signer)).rejects.toStrictEqual(refused)
    await expect(finish(test, '00000000-0000-4000-8000-000000000000', signer.sign('x'))).rejects.toStrictEqual(refused)
    const registration = await countersign.devices.beginRegistration({ caller: web.caller, ...anAnnouncement(signer) })
    await expect(finish(test, registration.id, signer.sign(registration.challenge))).rejects.toStrictEqual(refused)
  })

  it('begins with the same response for known and unknown fingerprints', async () => {
    const test = await createTestCountersign()
    const { device } = await signInNewDeviceUser(test)
    const [known, unknown] = [await begin(test, device.deviceFingerprint), await begin(test, 'nobody has this')]
    const shapeOf = ({ challenge, nonce, expiresAt, purpose, userId, ...rest }: typeof known) => ({
      length: challenge.length,
      nonceLength: nonce.length,
      members: Object.keys(rest),
      expiresAt,
      purpose,
      userId,
    })
    expect(shapeOf(unknown)).toStrictEqual(shapeOf(known))
    expect(unknown.challenge).not.toBe(known.challenge)
  })

  it('is refused for a device that was registered after the challenge was issued', async () => {
    const test = await createTestCountersign()
    const { caller } = await signInNewUser(test)
    const { id, challenge } = await begin(test, 'fingerprint-1')
    test.clock.advance(1)
    const { signer } = await registerTestDevice(test, caller, { deviceFingerprint: 'fingerprint-1' })
    await expect(finish(test, id, signer.sign(challenge))).rejects.toStrictEqual(refused)
    await expect(loginWith(test, 'fingerprint-1', signer)).resolves.toBeDefined()
  })

  it('is refused for a device that was removed and registered again after the challenge was issued', async () => {
    const test = await createTestCountersign()
    const { device, signer, web } = await signInNewDeviceUser(test)
    const { id, challenge } = await begin(test, device.deviceFingerprint)
    test.clock.advance(1)
    await test.countersign.devices.remove({ caller: web.caller, deviceId: device.id })
    await registerTestDevice(test, web.caller, { signer, deviceFingerprint: device.deviceFingerprint })
    await expect(finish(test, id, signer.sign(challenge))).rejects.toStrictEqual(refused)
  })

  it.each([
    ['the device is removed', 'removed'],
    ['the user is disabled', 'disabled'],
    ['the password is replaced', 'password replaced'],
  ] as const)('opens no session if %s during the signature check', async (_, change) => {
    const test = await createTestCountersign()
    const { device, signer, user, web } = await signInNewDeviceUser(test)
    const changes = {
      removed: () => test.countersign.devices.remove({ caller: web.caller, deviceId: device.id }),
      disabled: () => test.countersign.users.disable({ email: user.email }),
      'password replaced': () => test.countersign.users.setPassword({ email: user.email, password: 'a password of tomorrow' }),
    }
    const storage: typeof test.storage = {
      ...test.storage,
      transaction: async (work) => {
        await changes[change]()
        return test.storage.transaction(work)
      },
    }
    await expect(
      loginWith(await createTestCountersign({ ...test, storage }), device.deviceFingerprint, signer),
    ).rejects.toStrictEqual(refused)
    const sessions = await test.countersign.sessions.list({ email: user.email })
    expect(sessions.filter(({ deviceId }) => deviceId !== null)).toStrictEqual([])
  })

  it('signs in the user whose key signed, if several users registered the same fingerprint', async () => {
    const test = await createTestCountersign()
    const shared = { deviceFingerprint: 'the tablet at the door' }
    const [ada, bob] = [(await signInNewUser(test)).caller, (await signInNewUser(test)).caller]
    const [ofAda, ofBob] = [await registerTestDevice(test, ada, shared), await registerTestDevice(test, bob, shared)]
    expect((await signInByDevice(test, ofAda)).caller).toMatchObject({ userId: ada.userId, deviceId: ofAda.device.id })
    expect((await signInByDevice(test, ofBob)).caller).toMatchObject({ userId: bob.userId, deviceId: ofBob.device.id })
    await expect(loginWith(test, shared.deviceFingerprint, createTestDevice('ES256'))).rejects.toStrictEqual(refused)
    await test.countersign.devices.remove({ caller: ada, deviceId: ofAda.device.id })
    await expect(signInByDevice(test, ofAda)).rejects.toStrictEqual(refused)
    await expect(signInByDevice(test, ofBob)).resolves.toBeDefined()
  })
})
