import { keyAlgorithms } from '@countersign/contract'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { SWEEP_MARGIN } from '../../retention.ts'
import { days, seconds } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { anAnnouncement, registerTestDevice, signInNewUser } from '../../testing/sign-in.ts'
import { createTestDevice, generateDeviceKeyPair, type SignOptions } from '../../testing/test-device.ts'
import type { Caller } from '../authentication/caller.ts'
import { InvalidDeviceSignature, RegistrationChallengeGone, RegistrationChallengeNotFound, TooManyDevices } from './errors.ts'

const signer = createTestDevice('ES256')

let test: TestCountersign
let caller: Caller
beforeEach(async () => {
  test = await createTestCountersign()
  caller = (await signInNewUser(test)).caller
})

const begin = (deviceFingerprint?: string) =>
  test.countersign.devices.beginRegistration({ caller, ...anAnnouncement(signer, deviceFingerprint) })
const finish = (sessionId: string, signedChallenge: string, as = caller) =>
  test.countersign.devices.finishRegistration({ caller: as, sessionId, signedChallenge })
const devices = () => test.countersign.devices.list({ caller })

describe('a device registration', () => {
  it('stores the announced device under the announced id, as never used', async () => {
    const challenge = await begin('fingerprint-1')
    test.clock.advance(seconds(7))
    const device = await finish(challenge.id, signer.sign(challenge.challenge))
    expect(device).toStrictEqual({
      id: challenge.subject.deviceId,
      userId: caller.userId,
      deviceName: "Ada's phone",
      deviceType: 'mobile',
      deviceFingerprint: 'fingerprint-1',
      publicKey: signer.publicKey,
      keyAlgorithm: 'ES256',
      registeredWith: null,
      pushToken: null,
      lastUsedAt: null,
      trustedAt: test.clock.now(),
      tenants: null,
      trusted: true,
      createdAt: test.clock.now(),
      updatedAt: test.clock.now(),
    })
    expect(await devices()).toStrictEqual([device])
  })

  const rsa = generateDeviceKeyPair('RS256')
  const forms: readonly SignOptions[] = [{}, { over: 'bytes' }, { encoding: 'base64url' }, { form: 'p1363' }]
  it.each(keyAlgorithms.flatMap((algorithm) => forms.map((form) => ({ algorithm, form }))))(
    'accepts a signature of $algorithm in the form $form',
    async ({ algorithm, form }) => {
      const device = createTestDevice(algorithm, algorithm === 'ES256' ? {} : { keyPair: rsa })
      const challenge = await test.countersign.devices.beginRegistration({ caller, ...anAnnouncement(device) })
      expect(await finish(challenge.id, device.sign(challenge.challenge, form))).toMatchObject({ keyAlgorithm: algorithm })
    },
  )

  it.each(['AAA A', 'AAAA\n', 'AA\r\nAA'])(
    'is refused for the signature %j with an error that names its white space',
    async (signedChallenge) => {
      const challenge = await begin()
      await expect(finish(challenge.id, signedChallenge)).rejects.toThrow(
        'signedChallenge: must be a signature in base64 or base64url without line breaks or other white space (in Android: Base64.NO_WRAP)',
      )
      await expect(finish(challenge.id, signer.sign(challenge.challenge))).resolves.toBeDefined()
    },
  )

  it('is refused with the signature of another key, and consumes the challenge', async () => {
    const challenge = await begin()
    await expect(finish(challenge.id, createTestDevice('ES256').sign(challenge.challenge))).rejects.toThrow(
      InvalidDeviceSignature,
    )
    await expect(finish(challenge.id, signer.sign(challenge.challenge))).rejects.toThrow(RegistrationChallengeGone)
    expect(await devices()).toStrictEqual([])
  })

  it('is refused with the signature of another challenge', async () => {
    const [challenge, other] = [await begin(), await begin()]
    await expect(finish(challenge.id, signer.sign(other.challenge))).rejects.toThrow(InvalidDeviceSignature)
  })

  it('is refused with a signature of another algorithm than the announced one', async () => {
    const keyPair = generateDeviceKeyPair('RS256')
    const [rs256, ps256] = [createTestDevice('RS256', { keyPair }), createTestDevice('PS256', { keyPair })]
    const challenge = await test.countersign.devices.beginRegistration({ caller, ...anAnnouncement(rs256) })
    await expect(finish(challenge.id, ps256.sign(challenge.challenge))).rejects.toThrow(InvalidDeviceSignature)
  })

  it.each(['', '*', 'AA+_', 'AAAA=', 'AB', 'x'.repeat(4097)])(
    'refuses the malformed signature %j without consuming the challenge',
    async (signedChallenge) => {
      const challenge = await begin()
      const refusal = await finish(challenge.id, signedChallenge).catch((error: unknown) => error)
      expect(refusal).toStrictEqual(new Invalid({ signedChallenge: 'must be a signature in base64 or base64url' }))
      await expect(finish(challenge.id, signer.sign(challenge.challenge))).resolves.toBeDefined()
    },
  )

  it('can be completed until the challenge expires, to the millisecond', async () => {
    const [first, second] = [await begin(), await begin()]
    test.clock.advance(seconds(120) - 1)
    await expect(finish(first.id, signer.sign(first.challenge))).resolves.toBeDefined()
    test.clock.advance(1)
    await expect(finish(second.id, signer.sign(second.challenge))).rejects.toThrow(RegistrationChallengeGone)
  })

  it('can be completed once', async () => {
    const challenge = await begin()
    const signature = signer.sign(challenge.challenge)
    await finish(challenge.id, signature)
    await expect(finish(challenge.id, signature)).rejects.toThrow(RegistrationChallengeGone)
    expect(await devices()).toHaveLength(1)
  })

  it('is not found if it never began, or if another user began it', async () => {
    const stranger = (await signInNewUser(test)).caller
    const challenge = await begin()
    const signature = signer.sign(challenge.challenge)
    const refusalOf = (id: string, as?: Caller) => finish(id, signature, as).catch((error: unknown) => error)
    const unknown = await refusalOf('00000000-0000-4000-8000-000000000000')
    expect(unknown).toStrictEqual(new RegistrationChallengeNotFound())
    expect(await refusalOf(challenge.id, stranger)).toStrictEqual(unknown)
    await finish(challenge.id, signature)
    expect(await refusalOf(challenge.id, stranger)).toStrictEqual(unknown)
    expect(await refusalOf(challenge.id)).toStrictEqual(new RegistrationChallengeGone())
  })

  it('is reported as expired for a day after the challenge expired, and as not found later', async () => {
    const challenge = await begin()
    const signature = signer.sign(challenge.challenge)
    const late = () => finish(challenge.id, signature)
    test.clock.advance(seconds(120) + days(1))
    await test.countersign.sweep()
    await expect(late()).rejects.toThrow(RegistrationChallengeGone)
    test.clock.advance(SWEEP_MARGIN + 1)
    await test.countersign.sweep()
    await expect(late()).rejects.toThrow(RegistrationChallengeNotFound)
  })

  it('cannot be completed or consumed by another user', async () => {
    const stranger = (await signInNewUser(test)).caller
    const challenge = await begin()
    const signature = signer.sign(challenge.challenge)
    await expect(finish(challenge.id, signature, stranger)).rejects.toThrow(RegistrationChallengeNotFound)
    await expect(finish(challenge.id, signature)).resolves.toBeDefined()
  })

  it('cannot be completed with a login challenge', async () => {
    const challenge = await test.countersign.mobile.beginLogin({ deviceFingerprint: 'fingerprint-1' })
    await expect(finish(challenge.id, signer.sign(challenge.challenge))).rejects.toThrow(RegistrationChallengeNotFound)
  })

  it('never stores a twenty-first device, even if twenty-one registrations began', async () => {
    const challenges = await Promise.all(Array.from({ length: 21 }, () => begin()))
    const outcomes = await Promise.allSettled(challenges.map(({ id, challenge }) => finish(id, signer.sign(challenge))))
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(refused).toStrictEqual([new TooManyDevices(20)])
    expect(await devices()).toHaveLength(20)
  })

  it('keeps the devices of a user in order, oldest first', async () => {
    const ids: string[] = []
    for (let count = 0; count < 3; count += 1) {
      test.clock.advance(1)
      ids.push((await registerTestDevice(test, caller, { signer })).device.id)
    }
    expect((await devices()).map(({ id }) => id)).toStrictEqual(ids)
  })
})
