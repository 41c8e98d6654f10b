import { createHash, createPublicKey } from 'node:crypto'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { calculateJwkThumbprint, exportJWK } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { seconds, toIsoTimestamp } from '../../shared/clock.ts'
import { openField } from '../../shared/crypto/field-encryption.ts'
import { anAnnouncement, registerTestDevice, type SignedIn, signInNewUser } from '../../testing/sign-in.ts'
import { createTestDevice } from '../../testing/test-device.ts'

/** Computes a challenge as the specification says, without the code under test. */
const challengeBy = (domain: string, nonce: string, sortedMembers: object): string => {
  const bytes = Buffer.concat([
    Buffer.from(`${domain}\0`),
    Buffer.from(nonce, 'base64'),
    Buffer.from(JSON.stringify(sortedMembers)),
  ])
  return createHash('sha512').update(bytes).digest('base64')
}

let test: TestCountersign
let ada: SignedIn
beforeEach(async () => {
  test = await createTestCountersign()
  ada = await signInNewUser(test)
})

const begin = (signer = createTestDevice('ES256')) =>
  test.countersign.devices.beginRegistration({ caller: ada.caller, ...anAnnouncement(signer) })

describe('the challenge of a device login', () => {
  it('covers the purpose, the session, the fingerprint and the expiry', async () => {
    const deviceFingerprint = 'Ada’s phone "1"\u{1F4F1}'
    const { id, challenge, nonce, expiresAt } = await test.countersign.mobile.beginLogin({ deviceFingerprint })
    const statement = { deviceFingerprint, expiresAt: toIsoTimestamp(expiresAt), sessionId: id }
    expect(challenge).toBe(challengeBy('countersign.device-login.v1', nonce, statement))
    expect(Buffer.from(nonce, 'base64')).toHaveLength(64)
    expect(Buffer.from(challenge, 'base64')).toHaveLength(64)
  })

  it('differs each time, and its nonce is not stored', async () => {
    const one = await test.countersign.mobile.beginLogin({ deviceFingerprint: 'x' })
    const other = await test.countersign.mobile.beginLogin({ deviceFingerprint: 'x' })
    expect(new Set([one.nonce, other.nonce, one.challenge, other.challenge]).size).toBe(4)
    const stored = await test.storage.challenges.consume(one.id, 'device_login', null, test.clock.now())
    expect(stored).toMatchObject({ challenge: one.challenge })
    expect(JSON.stringify(stored)).not.toContain(one.nonce)
    expect(stored).not.toHaveProperty('nonce')
  })
})

describe('the challenge of a device registration', () => {
  it.each(['ES256', 'RS256', 'PS256'] as const)(
    'commits to the registration, the device, its user and its key (%s)',
    async (algorithm) => {
      const signer = createTestDevice(algorithm)
      const { challenge, nonce, expiresAt, subject } = await begin(signer)
      const { deviceFingerprint, deviceId } = subject
      const keyThumbprint = await calculateJwkThumbprint(await exportJWK(createPublicKey(signer.publicKey)))
      const statement = { deviceFingerprint, deviceId, expiresAt: toIsoTimestamp(expiresAt), keyThumbprint, userId: ada.user.id }
      expect(challenge).toBe(challengeBy('countersign.device-registration.v1', nonce, statement))
    },
  )

  it('is stored with its nonce encrypted, bound to its row', async () => {
    const { id, nonce } = await begin()
    const stored = await test.storage.challenges.consume(id, 'device_registration', ada.user.id, test.clock.now())
    expect(JSON.stringify(stored)).not.toContain(nonce)
    if (stored === undefined) throw new Error('the challenge is stored')
    const sealed = stored.subject.nonce
    const place = { table: 'challenges', column: 'subject', row: id } as const
    expect(openField(test.encryptionKeys, place, sealed)).toBe(nonce)
    expect(() => openField(test.encryptionKeys, { ...place, row: 'another' }, sealed)).toThrow('moved or changed')
  })
})

it('a signature for one purpose is refused for another, also for the same device', async () => {
  const { device, signer } = await registerTestDevice(test, ada.caller)
  const login = await test.countersign.mobile.beginLogin({ deviceFingerprint: device.deviceFingerprint })
  const registration = await begin(signer)
  const { countersign } = test
  test.clock.advance(seconds(1))
  await expect(
    countersign.devices.finishRegistration({
      caller: ada.caller,
      sessionId: registration.id,
      signedChallenge: signer.sign(login.challenge),
    }),
  ).rejects.toMatchObject({ code: 'invalid_device_signature' })
  await expect(
    countersign.mobile.finishLogin({ sessionId: login.id, signedChallenge: signer.sign(registration.challenge) }),
  ).rejects.toMatchObject({ code: 'invalid_biometric_token' })
})
