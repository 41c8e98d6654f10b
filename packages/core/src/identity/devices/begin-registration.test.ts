import { generateKeyPairSync } from 'node:crypto'
import { keyAlgorithms } from '@countersign/contract'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { seconds } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { anAnnouncement, registerTestDevice, signInNewUser } from '../../testing/sign-in.ts'
import { createTestDevice } from '../../testing/test-device.ts'
import type { Caller } from '../authentication/caller.ts'
import type { Device } from '../records/device.ts'
import { DeviceAlreadyRegistered, TooManyDevices } from './errors.ts'

const signer = createTestDevice('ES256')
const rsaSigner = createTestDevice('RS256')

let test: TestCountersign
let caller: Caller
beforeEach(async () => {
  test = await createTestCountersign()
  caller = (await signInNewUser(test)).caller
})

const begin = (changes: Partial<ReturnType<typeof announced>> = {}) =>
  test.countersign.devices.beginRegistration({ caller, ...announced(), ...changes } as Parameters<
    TestCountersign['countersign']['devices']['beginRegistration']
  >[0])
const announced = (): Record<string, unknown> => anAnnouncement(signer)

/** Returns the error of an announcement with these changes. */
const refusalOf = async (changes: Record<string, unknown>): Promise<unknown> => {
  const outcome = await begin(changes).catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(Invalid)
  return outcome
}

describe('beginning the registration of a device', () => {
  it('returns a challenge of 64 bytes that is valid for two minutes, and the id of the device', async () => {
    const challenge = await begin()
    expect(Buffer.from(challenge.challenge, 'base64')).toHaveLength(64)
    expect(challenge.challenge).toMatch(/^[A-Za-z0-9+/]{86}==$/)
    expect(challenge.expiresAt).toBe(test.clock.now() + seconds(120))
    expect(challenge.subject.deviceId).not.toBe(challenge.id)
  })

  it('returns a new challenge and a new id each time', async () => {
    const challenges = [await begin(), await begin()]
    expect(new Set(challenges.map(({ challenge }) => challenge)).size).toBe(2)
    expect(new Set(challenges.flatMap(({ id, subject }) => [id, subject.deviceId])).size).toBe(4)
  })

  it('does not register the device yet', async () => {
    await begin()
    expect(await test.countersign.devices.list({ caller })).toStrictEqual([])
  })

  it.each(["O'Brien’s phone-2", '手机 ٣', 'naïve cafe\u0301', 'x', '𝕏'.repeat(255), ' '])(
    'accepts the name %j',
    async (deviceName) => {
      expect((await begin({ deviceName })).subject.deviceName).toBe(deviceName)
    },
  )

  const nameTakes = 'must be 1 to 255 letters, digits, spaces, hyphens or apostrophes'
  it.each(['', 'x'.repeat(256), 7, null, undefined])('refuses the name %j', async (deviceName) => {
    expect(await refusalOf({ deviceName })).toMatchObject({ fields: { deviceName: nameTakes } })
  })

  it.each([
    ['a\nb', 'U+000A'],
    ['a\tb', 'U+0009'],
    ['a\0b', 'U+0000'],
    ['a\u00A0b', 'U+00A0'],
    ['a.b', 'U+002E'],
    ['a_b', 'U+005F'],
    ['<b>', 'U+003C'],
    ['iPhone 15 (2)', 'U+0028'],
    ['Ana’s Pixel 9 Pro – work', 'U+2013'],
    ['phone 📱', 'U+1F4F1'],
    ['\uD800', 'U+D800'],
    ['Ana\u202Eenohp', 'U+202E'],
    ['\u2066Ana\u2069', 'U+2066'],
    [`${'x'.repeat(256)}.`, 'U+002E'],
  ])('refuses the name %j, and names the character %s', async (deviceName, character) => {
    expect(await refusalOf({ deviceName })).toMatchObject({ fields: { deviceName: `${nameTakes}, not ${character}` } })
  })

  it('names every wrong field and its valid values', async () => {
    expect(await refusalOf({ deviceType: 'watch' })).toMatchObject({
      fields: { deviceType: 'must be one of mobile, desktop, tablet' },
    })
    expect(await refusalOf({ keyAlgorithm: 'HS256' })).toMatchObject({
      fields: { keyAlgorithm: 'must be one of ES256, RS256, PS256' },
    })
    for (const deviceFingerprint of ['', 'x'.repeat(256), 7]) {
      expect(await refusalOf({ deviceFingerprint })).toMatchObject({
        fields: { deviceFingerprint: 'must be text of 1 to 255 characters' },
      })
    }
    for (const publicKey of ['', 'x'.repeat(10 * 1024 + 1), 7]) {
      expect(await refusalOf({ publicKey })).toMatchObject({
        fields: { publicKey: 'must be one PEM public key of at most 10 KB' },
      })
    }
    expect(await refusalOf({ deviceName: '', deviceType: '' })).toMatchObject({
      fields: { deviceName: expect.any(String), deviceType: expect.any(String) },
    })
  })

  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const weakRsa = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const spki = { format: 'pem', type: 'spki' } as const
  const pkcs8 = { format: 'pem', type: 'pkcs8' } as const
  it.each([
    ['text', 'ES256', 'no key at all'],
    ['a private key', 'ES256', signer.keyPair.privateKey.export(pkcs8).toString()],
    ['two keys', 'ES256', signer.publicKey + signer.publicKey],
    ['another curve', 'ES256', p384.publicKey.export(spki).toString()],
    ['RSA as ES256', 'ES256', rsaSigner.publicKey],
    ['EC as RS256', 'RS256', signer.publicKey],
    ['EC as PS256', 'PS256', signer.publicKey],
    ['RSA of 1024 bits', 'RS256', weakRsa.publicKey.export(spki).toString()],
  ])('refuses a public key that is %s', async (_, keyAlgorithm, publicKey) => {
    const takes =
      keyAlgorithm === 'ES256'
        ? '(SPKI) on the named curve P-256, with an uncompressed point'
        : '(SPKI or PKCS#1) of RSA with 2048 to 8192 bits and exponent 65537'
    expect(await refusalOf({ keyAlgorithm, publicKey })).toMatchObject({
      fields: { publicKey: `must be one PEM public key ${takes}` },
    })
  })

  it.each(keyAlgorithms)('stores the key of %s in the same form, wherever its PEM has line breaks', async (keyAlgorithm) => {
    const { publicKey } = keyAlgorithm === 'ES256' ? signer : rsaSigner
    const rewrapped = `\n${publicKey.replaceAll('\n', '\r\n')}\n\n`
    expect((await begin({ keyAlgorithm, publicKey: rewrapped })).subject.publicKey).toBe(publicKey)
  })

  it.each(['RS256', 'PS256'] as const)('stores a PKCS#1 key of %s as SPKI', async (keyAlgorithm) => {
    const publicKey = rsaSigner.keyPair.publicKey.export({ format: 'pem', type: 'pkcs1' }).toString()
    expect(publicKey).toMatch(/^-----BEGIN RSA PUBLIC KEY-----/)
    expect((await begin({ keyAlgorithm, publicKey })).subject.publicKey).toBe(rsaSigner.publicKey)
  })

  it('ignores members that are not in the contract', async () => {
    const challenge = await begin({ userId: 99, deviceId: '00000000-0000-4000-8000-000000000000', isActive: true })
    expect(challenge.userId).toBe(caller.userId)
    expect(Object.keys(challenge.subject).sort()).toStrictEqual(
      ['deviceFingerprint', 'deviceId', 'deviceName', 'deviceType', 'keyAlgorithm', 'nonce', 'publicKey'].sort(),
    )
    expect(challenge.subject.deviceId).not.toBe('00000000-0000-4000-8000-000000000000')
  })

  it('is refused as a conflict if the user has registered the fingerprint', async () => {
    const { device } = await registerTestDevice(test, caller, { signer })
    await expect(begin({ deviceFingerprint: device.deviceFingerprint })).rejects.toThrow(DeviceAlreadyRegistered)
  })

  it('is allowed for another user with the same fingerprint', async () => {
    const { device } = await registerTestDevice(test, (await signInNewUser(test)).caller, { signer })
    await expect(begin({ deviceFingerprint: device.deviceFingerprint })).resolves.toBeDefined()
  })

  it('is refused for the twenty-first device, and allowed after a removal', async () => {
    const devices: Device[] = []
    for (let count = 0; count < 20; count += 1) devices.push((await registerTestDevice(test, caller, { signer })).device)
    await expect(begin()).rejects.toStrictEqual(new TooManyDevices(20))
    await test.countersign.devices.remove({ caller, deviceId: devices[0]?.id ?? '' })
    await expect(begin()).resolves.toBeDefined()
  })
})
