import { constants, type KeyObject, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { aChallengeText } from '../../testing/builders.ts'
import { createTestDevice, type SignOptions, type TestDevice } from '../../testing/test-device.ts'
import { fromAnyBase64 } from './base64.ts'
import { isSignedBy } from './device-signature.ts'

const es256 = createTestDevice('ES256')
const rs256 = createTestDevice('RS256')
const ps256 = createTestDevice('PS256', { keyPair: rs256.keyPair })
const devices: readonly TestDevice[] = [es256, rs256, ps256]

const challenge = aChallengeText()
const bytesOf = (text: string): Uint8Array => fromAnyBase64(text) ?? new Uint8Array()

const accepts = (device: TestDevice, signature: Uint8Array, text = challenge): boolean =>
  isSignedBy(device.keyPair.publicKey, device.keyAlgorithm, text, signature)

const signatureOf = (device: TestDevice, options?: SignOptions): Uint8Array => bytesOf(device.sign(challenge, options))

const pss = (key: KeyObject, saltLength: number, digest = 'sha256'): Uint8Array =>
  sign(digest, Buffer.from(challenge), { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength })

/** Rewrites a DER signature with an extra zero before `r`, which only a lenient parser accepts. */
const withLongInteger = (der: Uint8Array): Uint8Array => {
  const [sequence = 0, length = 0, integer = 0, rLength = 0, ...rest] = der
  return Uint8Array.from([sequence, length + 1, integer, rLength + 1, 0, ...rest])
}

/** The order of P-256. `r` and `s` must be smaller (FIPS 186-5). */
const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex')

describe.each(devices)('a device signature of $keyAlgorithm', (device) => {
  it('is accepted for the text of the challenge and for its bytes', () => {
    for (const over of ['text', 'bytes'] as const) {
      expect(accepts(device, signatureOf(device, { over }))).toBe(true)
      expect(accepts(device, signatureOf(device, { over, encoding: 'base64url' }))).toBe(true)
    }
  })

  it('is refused for another challenge', () => {
    const other = aChallengeText()
    expect(accepts(device, signatureOf(device), other)).toBe(false)
    expect(accepts(device, signatureOf(device, { over: 'bytes' }), other)).toBe(false)
  })

  it('is refused from another key', () => {
    expect(accepts(createTestDevice(device.keyAlgorithm), signatureOf(device))).toBe(false)
  })

  it('is refused when a bit is flipped, and when it is too short or too long', () => {
    const signature = signatureOf(device)
    for (let index = 0; index < signature.length; index += 1) {
      const flipped = signature.map((byte, at) => (at === index ? byte ^ 0x04 : byte))
      expect(accepts(device, flipped)).toBe(false)
    }
    expect(accepts(device, signature.subarray(0, -1))).toBe(false)
    expect(accepts(device, Uint8Array.from([...signature, 0]))).toBe(false)
    expect(accepts(device, new Uint8Array())).toBe(false)
  })
})

describe('a device signature', () => {
  it('with ES256 is accepted as DER and as P1363', () => {
    for (const over of ['text', 'bytes'] as const) {
      expect(signatureOf(es256, { over, form: 'p1363' })).toHaveLength(64)
      expect(accepts(es256, signatureOf(es256, { over, form: 'p1363' }))).toBe(true)
      expect(signatureOf(es256, { over, form: 'der' })[0]).toBe(0x30)
      expect(accepts(es256, signatureOf(es256, { over, form: 'der' }))).toBe(true)
    }
    const webDevice = createTestDevice('ES256', { form: 'p1363', keyPair: es256.keyPair })
    expect(signatureOf(webDevice)).toHaveLength(64)
  })

  it('with PS256 is refused for RS256, and the reverse', () => {
    expect(accepts(ps256, signatureOf(rs256))).toBe(false)
    expect(accepts(rs256, signatureOf(ps256))).toBe(false)
  })

  it('with ES256 is refused for RSA, and the reverse', () => {
    expect(accepts(es256, signatureOf(rs256))).toBe(false)
    expect(accepts(rs256, signatureOf(es256))).toBe(false)
  })

  it('with PS256 can have a salt of any length', () => {
    const { privateKey } = ps256.keyPair
    for (const saltLength of [0, 20, 31, 32, 33, 64, 222, constants.RSA_PSS_SALTLEN_MAX_SIGN]) {
      expect(accepts(ps256, pss(privateKey, saltLength))).toBe(true)
      expect(accepts(ps256, pss(privateKey, saltLength), aChallengeText())).toBe(false)
    }
  })

  it('with PS256 is accepted with the default salt of Node', () => {
    const { privateKey } = ps256.keyPair
    const signature = sign('sha256', Buffer.from(challenge), { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING })
    expect(accepts(ps256, signature)).toBe(true)
  })

  it('is refused with another digest than SHA-256', () => {
    for (const digest of ['sha1', 'sha384', 'sha512']) {
      const message = Buffer.from(challenge)
      expect(accepts(es256, sign(digest, message, es256.keyPair.privateKey))).toBe(false)
      expect(accepts(rs256, sign(digest, message, rs256.keyPair.privateKey))).toBe(false)
      expect(accepts(ps256, pss(ps256.keyPair.privateKey, 32, digest))).toBe(false)
    }
  })

  describe('with ES256 is refused when it is malformed:', () => {
    const der = signatureOf(es256)
    const p1363 = signatureOf(es256, { form: 'p1363' })

    it.each<[string, Uint8Array]>([
      ['zeros as r and s (CVE-2022-21449)', new Uint8Array(64)],
      ['zeros as r and s in DER', Uint8Array.from([0x30, 6, 2, 1, 0, 2, 1, 0])],
      ['the order of the curve as r and s', Uint8Array.from([...order, ...order])],
      ['DER with an extra zero', withLongInteger(der)],
      ['DER with bytes after the signature', Uint8Array.from([...der, 1, 2, 3])],
      ['DER with a length in long form', Uint8Array.from([0x30, 0x81, ...der.subarray(1)])],
      ['DER of an indefinite length', Uint8Array.from([0x30, 0x80, ...der.subarray(2), 0, 0])],
      ['P1363 with an extra byte', Uint8Array.from([0, ...p1363])],
      ['P1363 without its first byte', p1363.subarray(1)],
      ['P1363 with r and s exchanged', Uint8Array.from([...p1363.subarray(32), ...p1363.subarray(0, 32)])],
    ])('%s', (_, signature) => {
      expect(accepts(es256, signature)).toBe(false)
    })
  })
})
