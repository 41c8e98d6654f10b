import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { KeyAlgorithm } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { createTestDevice, generateDeviceKeyPair } from '../../testing/test-device.ts'
import { systemRandom } from '../random.ts'
import { toBase64Url } from './base64.ts'
import { parseDeviceKey, readStoredKey, toSpkiPem } from './device-key.ts'

const ec = generateDeviceKeyPair('ES256')
const rsa = generateDeviceKeyPair('RS256')
const ecPem = toSpkiPem(ec.publicKey)
const rsaPem = toSpkiPem(rsa.publicKey)

/** Makes an RSA public key of any size without searching for primes. Real keys of 8192 bits take long to make. */
const rsaOfBits = (bits: number): string => {
  const modulus = systemRandom.bytes(Math.ceil(bits / 8))
  modulus[0] = 1 << ((bits - 1) % 8)
  modulus[modulus.length - 1] = 0xff
  const key = createPublicKey({ key: { kty: 'RSA', n: toBase64Url(modulus), e: 'AQAB' }, format: 'jwk' })
  expect(key.asymmetricKeyDetails?.modulusLength).toBe(bits)
  return toSpkiPem(key)
}

const pkcs1Pem = rsa.publicKey.export({ format: 'pem', type: 'pkcs1' }).toString()

const pemOf = (label: string, der: Buffer): string =>
  `-----BEGIN ${label}-----\n${der.toString('base64')}\n-----END ${label}-----\n`

/** Rewrites a PEM in base64 that is not canonical: its unused bits are not zero (RFC 4648 §3.5). */
const withTailBits = (pem: string): string =>
  pem.replace(/([AQgw])==/, (_, last: string) => `${String.fromCharCode(last.charCodeAt(0) + 1)}==`)

/** Makes the SPKI of a P-256 key with a compressed point, from the point `04 ‖ x ‖ y`. */
const compressedSpki = (point: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex'),
    Buffer.of(2 + ((point.at(-1) ?? 0) % 2)),
    point.subarray(1, 33),
  ])

/** Makes the SPKI of an RSA key of 2048 bits without the NULL that RFC 3279 §2.3.1 requires. */
const withoutNull = (spki: Buffer): Buffer => {
  const withLength = Buffer.from(spki)
  withLength.writeUInt16BE(spki.readUInt16BE(2) - 2, 2)
  withLength[5] = 0x0b
  return Buffer.concat([withLength.subarray(0, 17), withLength.subarray(19)])
}

const privatePem = (key: KeyObject, type: 'pkcs8' | 'sec1' | 'pkcs1') => key.export({ format: 'pem', type }).toString()

/** A self-signed certificate of a P-256 key. A lenient parser extracts a public key from the certificate. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBezCCASGgAwIBAgIUTAJAOjx12sSBciWjhV/+Ba9MHbAwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHZXhhbXBsZTAgFw0yNjExMjEwNzE1MjdaGA8yMTI2MTAyODA3
MTUyN1owEjEQMA4GA1UEAwwHZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABPQWQ59kayf/rkEFSGU6Hxmu+jT/r1Uxz1h+rupvF+WB+fp5Ny56uB/G7vvI
NoYiPj5wnBDLouU7MkS5IRz/Jn6jUzBRMB0GA1UdDgQWBBQq+jxtqTeoxexXwq7U
dlctiPNjZzAfBgNVHSMEGDAWgBQq+jxtqTeoxexXwq7UdlctiPNjZzAPBgNVHRMB
Af8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIAIF7MeMEqF1HJ/QOio9G+Zbf6VP
6DHaiDIMeqlxzq+0AiEAz8OllEH5CH3NmwLyoFZyXzPWCQyhM3KQLBa9zXw1tCE=
-----END CERTIFICATE-----
`

describe('a device key', () => {
  it('is accepted when it fits the algorithm', () => {
    expect(parseDeviceKey(ecPem, 'ES256')?.equals(ec.publicKey)).toBe(true)
    expect(parseDeviceKey(rsaPem, 'RS256')?.equals(rsa.publicKey)).toBe(true)
    expect(parseDeviceKey(rsaPem, 'PS256')?.equals(rsa.publicKey)).toBe(true)
    expect(parseDeviceKey(createTestDevice('ES256').publicKey, 'ES256')).toBeDefined()
  })

  it('is stored as the same text, whatever line breaks its PEM has', () => {
    const body = ecPem.split('\n').slice(1, -2).join('')
    const texts = [
      ecPem,
      ecPem.trimEnd(),
      `\n  ${ecPem}\n\n`,
      ecPem.replaceAll('\n', '\r\n'),
      `-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----`,
      `-----BEGIN PUBLIC KEY-----\r${body}\r-----END PUBLIC KEY-----`,
      `-----BEGIN PUBLIC KEY-----${body}-----END PUBLIC KEY-----`,
      ecPem.replaceAll('\n', '\n\n\t '),
      `\uFEFF${ecPem}`,
    ]
    for (const text of texts) {
      const key = parseDeviceKey(text, 'ES256')
      expect(key && toSpkiPem(key)).toBe(ecPem)
    }
  })

  it('of RSA needs 2048 to 8192 bits', () => {
    expect(parseDeviceKey(rsaOfBits(2048), 'RS256')).toBeDefined()
    expect(parseDeviceKey(rsaOfBits(8192), 'PS256')).toBeDefined()
    for (const bits of [1024, 2040, 2047, 8193, 16384]) expect(parseDeviceKey(rsaOfBits(bits), 'RS256')).toBeUndefined()
  })

  it('of RSA needs the exponent 65537', () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 })
    expect(parseDeviceKey(toSpkiPem(publicKey), 'RS256')).toBeUndefined()
  })

  it.each(['secp384r1', 'secp521r1', 'secp256k1'])('is refused on the curve %s', (namedCurve) => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve })
    expect(parseDeviceKey(toSpkiPem(publicKey), 'ES256')).toBeUndefined()
  })

  it('is refused when its type belongs to another algorithm', () => {
    expect(parseDeviceKey(rsaPem, 'ES256')).toBeUndefined()
    expect(parseDeviceKey(ecPem, 'RS256')).toBeUndefined()
    expect(parseDeviceKey(ecPem, 'PS256')).toBeUndefined()
    const edwards = toSpkiPem(generateKeyPairSync('ed25519').publicKey)
    const pssOnly = toSpkiPem(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey)
    for (const algorithm of ['ES256', 'RS256', 'PS256'] as const) {
      expect(parseDeviceKey(edwards, algorithm)).toBeUndefined()
      expect(parseDeviceKey(pssOnly, algorithm)).toBeUndefined()
    }
  })

  it('is never extracted from a private key', () => {
    expect(parseDeviceKey(privatePem(ec.privateKey, 'pkcs8'), 'ES256')).toBeUndefined()
    expect(parseDeviceKey(privatePem(ec.privateKey, 'sec1'), 'ES256')).toBeUndefined()
    expect(parseDeviceKey(privatePem(rsa.privateKey, 'pkcs8'), 'RS256')).toBeUndefined()
    expect(parseDeviceKey(privatePem(rsa.privateKey, 'pkcs1'), 'RS256')).toBeUndefined()
    const mislabelled = privatePem(ec.privateKey, 'pkcs8').replaceAll('PRIVATE', 'PUBLIC')
    expect(parseDeviceKey(mislabelled, 'ES256')).toBeUndefined()
  })

  it('can be extracted by OpenSSL from the certificate that a test below refuses', () => {
    expect(createPublicKey(certificate).asymmetricKeyType).toBe('ec')
  })

  it.each([
    ['two blocks', `${ecPem}${ecPem}`],
    ['a key followed by a private key', `${ecPem}${privatePem(ec.privateKey, 'pkcs8')}`],
    ['a key after a private key', `${privatePem(ec.privateKey, 'pkcs8')}${ecPem}`],
    ['a key after other text', `key: ${ecPem}`],
    ['a key before other text', `${ecPem}# of my phone`],
    ['a block with headers', ecPem.replace('-----\n', '-----\nProc-Type: 4,ENCRYPTED\n\n')],
    ['a certificate', certificate],
    ['a certificate that calls itself a key', certificate.replaceAll('CERTIFICATE', 'PUBLIC KEY')],
    ['PKCS#1 that calls itself SPKI', pkcs1Pem.replaceAll('RSA PUBLIC', 'PUBLIC')],
    ['SPKI that calls itself PKCS#1', rsaPem.replaceAll('PUBLIC', 'RSA PUBLIC')],
    ['a block whose end has another name', rsaPem.replace('END PUBLIC', 'END RSA PUBLIC')],
    ['base64 with unused bits that are not zero', withTailBits(ecPem)],
    ['base64 without its padding', ecPem.replaceAll('=', '')],
    ['base64url', ecPem.replace('\nM', '\n_')],
    ['base64 with another character', ecPem.replace('\nM', '\n.M')],
    ['a JWK', JSON.stringify(ec.publicKey.export({ format: 'jwk' }))],
    ['base64 without a PEM block', ecPem.split('\n').slice(1, -2).join('')],
    ['a cut block', ecPem.slice(0, 100)],
    ['an empty block', '-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n'],
    ['bytes that are no key', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n'],
    ['an empty text', ''],
  ])('is refused as %s', (_, text) => {
    expect(parseDeviceKey(text, 'ES256')).toBeUndefined()
    expect(parseDeviceKey(text, 'RS256')).toBeUndefined()
  })

  it('is refused when the point is not on the curve', () => {
    const der = ec.publicKey.export({ format: 'der', type: 'spki' })
    der[der.length - 1] = (der.at(-1) ?? 0) ^ 1
    const pem = `-----BEGIN PUBLIC KEY-----\n${der.toString('base64')}\n-----END PUBLIC KEY-----\n`
    expect(parseDeviceKey(pem, 'ES256')).toBeUndefined()
  })

  it('of RSA can be PKCS#1, and is stored as the same text as its SPKI', () => {
    for (const algorithm of ['RS256', 'PS256'] as const) {
      const key = parseDeviceKey(pkcs1Pem, algorithm)
      expect(key && toSpkiPem(key)).toBe(rsaPem)
    }
    expect(parseDeviceKey(pkcs1Pem, 'ES256')).toBeUndefined()
  })

  describe('that is not strict DER is refused:', () => {
    const spki = ec.publicKey.export({ format: 'der', type: 'spki' })
    const point = spki.subarray(26)
    const parity = (point.at(-1) ?? 0) % 2
    const explicit = generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' }).publicKey
    const rsaSpki = rsa.publicKey.export({ format: 'der', type: 'spki' })
    const pkcs1 = rsa.publicKey.export({ format: 'der', type: 'pkcs1' })
    const zeros = Buffer.from([0, 0, 0])

    it.each<[string, KeyAlgorithm, Buffer]>([
      ['EC with bytes after the key', 'ES256', Buffer.concat([spki, zeros])],
      ['EC with explicit parameters of the curve', 'ES256', explicit.export({ format: 'der', type: 'spki' })],
      ['EC with a compressed point', 'ES256', compressedSpki(point)],
      ['EC with a hybrid point', 'ES256', Buffer.concat([spki.subarray(0, 26), Buffer.of(6 + parity), point.subarray(1)])],
      ['EC with a length in long form', 'ES256', Buffer.concat([Buffer.of(0x30, 0x81), spki.subarray(1)])],
      ['EC of an indefinite length', 'ES256', Buffer.concat([Buffer.of(0x30, 0x80), spki.subarray(2), Buffer.of(0, 0)])],
      ['EC with the point at infinity', 'ES256', Buffer.concat([spki.subarray(0, 26), Buffer.of(0)])],
      ['RSA with bytes after the key', 'RS256', Buffer.concat([rsaSpki, zeros])],
      ['RSA of an indefinite length', 'RS256', Buffer.concat([Buffer.of(0x30, 0x80), rsaSpki.subarray(4), Buffer.of(0, 0)])],
      ['RSA without the NULL of its algorithm', 'RS256', withoutNull(rsaSpki)],
    ])('%s', (_, algorithm, der) => {
      expect(parseDeviceKey(pemOf('PUBLIC KEY', der), algorithm)).toBeUndefined()
    })

    it('PKCS#1 with bytes after the key, or of an indefinite length', () => {
      const indefinite = Buffer.concat([Buffer.of(0x30, 0x80), pkcs1.subarray(4), Buffer.of(0, 0)])
      for (const der of [Buffer.concat([pkcs1, zeros]), indefinite]) {
        expect(parseDeviceKey(pemOf('RSA PUBLIC KEY', der), 'RS256')).toBeUndefined()
      }
    })

    it('compressed points and explicit parameters, which OpenSSL itself would read', () => {
      for (const der of [compressedSpki(point), explicit.export({ format: 'der', type: 'spki' })]) {
        expect(createPublicKey({ key: der, format: 'der', type: 'spki' }).asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
      }
    })
  })

  it('is read from the database in every form that OpenSSL reads, because earlier versions stored such forms', () => {
    const compressed = pemOf('PUBLIC KEY', compressedSpki(ec.publicKey.export({ format: 'der', type: 'spki' }).subarray(26)))
    for (const pem of [ecPem, compressed]) expect(readStoredKey(pem, 'ES256')).toBeDefined()
    expect(readStoredKey(rsaPem, 'RS256')?.equals(rsa.publicKey)).toBe(true)
    expect(readStoredKey(ecPem, 'RS256')).toBeUndefined()
    expect(readStoredKey('', 'ES256')).toBeUndefined()
  })
})
