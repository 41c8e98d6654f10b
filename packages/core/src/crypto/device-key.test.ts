import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { systemRandom } from '../ports/random.ts'
import { createTestDevice, generateDeviceKeyPair } from '../testing/test-device.ts'
import { toBase64Url } from './base64.ts'
import { parseDeviceKey, toSpkiPem } from './device-key.ts'

const ec = generateDeviceKeyPair('ES256')
const rsa = generateDeviceKeyPair('RS256')
const ecPem = toSpkiPem(ec.publicKey)
const rsaPem = toSpkiPem(rsa.publicKey)

/** A public key of any size: only its form matters here, and making a real one of 8192 bits takes long. */
const rsaOfBits = (bits: number): string => {
  const modulus = systemRandom.bytes(Math.ceil(bits / 8))
  modulus[0] = 1 << ((bits - 1) % 8)
  modulus[modulus.length - 1] = 0xff
  const key = createPublicKey({ key: { kty: 'RSA', n: toBase64Url(modulus), e: 'AQAB' }, format: 'jwk' })
  expect(key.asymmetricKeyDetails?.modulusLength).toBe(bits)
  return toSpkiPem(key)
}

const privatePem = (key: KeyObject, type: 'pkcs8' | 'sec1' | 'pkcs1') => key.export({ format: 'pem', type }).toString()

/** Self-signed, of a P-256 key that nobody holds: a forgiving parser reads a public key out of it. */
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
  it('is taken where it fits its algorithm', () => {
    expect(parseDeviceKey(ecPem, 'ES256')?.equals(ec.publicKey)).toBe(true)
    expect(parseDeviceKey(rsaPem, 'RS256')?.equals(rsa.publicKey)).toBe(true)
    expect(parseDeviceKey(rsaPem, 'PS256')?.equals(rsa.publicKey)).toBe(true)
    expect(parseDeviceKey(createTestDevice('ES256').publicKey, 'ES256')).toBeDefined()
  })

  it('is kept under one text, however its PEM was wrapped', () => {
    const body = ecPem.split('\n').slice(1, -2).join('')
    const texts = [
      ecPem,
      ecPem.trimEnd(),
      `\n  ${ecPem}\n\n`,
      ecPem.replaceAll('\n', '\r\n'),
      `-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----`,
    ]
    for (const text of texts) {
      const key = parseDeviceKey(text, 'ES256')
      expect(key && toSpkiPem(key)).toBe(ecPem)
    }
  })

  it('of RSA has 2048 to 8192 bits', () => {
    expect(parseDeviceKey(rsaOfBits(2048), 'RS256')).toBeDefined()
    expect(parseDeviceKey(rsaOfBits(8192), 'PS256')).toBeDefined()
    for (const bits of [1024, 2040, 2047, 8193, 16384]) expect(parseDeviceKey(rsaOfBits(bits), 'RS256')).toBeUndefined()
  })

  it('of RSA has the exponent 65537', () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 })
    expect(parseDeviceKey(toSpkiPem(publicKey), 'RS256')).toBeUndefined()
  })

  it.each(['secp384r1', 'secp521r1', 'secp256k1'])('is refused on the curve %s', (namedCurve) => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve })
    expect(parseDeviceKey(toSpkiPem(publicKey), 'ES256')).toBeUndefined()
  })

  it('is refused where its kind is that of another algorithm', () => {
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

  it('is never read out of a private key', () => {
    expect(parseDeviceKey(privatePem(ec.privateKey, 'pkcs8'), 'ES256')).toBeUndefined()
    expect(parseDeviceKey(privatePem(ec.privateKey, 'sec1'), 'ES256')).toBeUndefined()
    expect(parseDeviceKey(privatePem(rsa.privateKey, 'pkcs8'), 'RS256')).toBeUndefined()
    expect(parseDeviceKey(privatePem(rsa.privateKey, 'pkcs1'), 'RS256')).toBeUndefined()
    const mislabelled = privatePem(ec.privateKey, 'pkcs8').replaceAll('PRIVATE', 'PUBLIC')
    expect(parseDeviceKey(mislabelled, 'ES256')).toBeUndefined()
  })

  it('could be read out of the certificate below, which shows that refusing it is no accident', () => {
    expect(createPublicKey(certificate).asymmetricKeyType).toBe('ec')
  })

  it.each([
    ['two blocks', `${ecPem}${ecPem}`],
    ['a private key behind it', `${ecPem}${privatePem(ec.privateKey, 'pkcs8')}`],
    ['a private key before it', `${privatePem(ec.privateKey, 'pkcs8')}${ecPem}`],
    ['text before it', `key: ${ecPem}`],
    ['text behind it', `${ecPem}# of my phone`],
    ['headers within', ecPem.replace('-----\n', '-----\nProc-Type: 4,ENCRYPTED\n\n')],
    ['a certificate', certificate],
    ['a certificate that calls itself a key', certificate.replaceAll('CERTIFICATE', 'PUBLIC KEY')],
    ['PKCS#1', rsa.publicKey.export({ format: 'pem', type: 'pkcs1' }).toString()],
    ['a JWK', JSON.stringify(ec.publicKey.export({ format: 'jwk' }))],
    ['the bare base64', ecPem.split('\n').slice(1, -2).join('')],
    ['a cut block', ecPem.slice(0, 100)],
    ['no bytes', '-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n'],
    ['other bytes', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n'],
    ['nothing', ''],
  ])('is refused as %s', (_, text) => {
    expect(parseDeviceKey(text, 'ES256')).toBeUndefined()
    expect(parseDeviceKey(text, 'RS256')).toBeUndefined()
  })

  it('is refused where its point is not on the curve', () => {
    const der = ec.publicKey.export({ format: 'der', type: 'spki' })
    der[der.length - 1] = (der.at(-1) ?? 0) ^ 1
    const pem = `-----BEGIN PUBLIC KEY-----\n${der.toString('base64')}\n-----END PUBLIC KEY-----\n`
    expect(parseDeviceKey(pem, 'ES256')).toBeUndefined()
  })

  it('is kept without the bytes that follow it within the block', () => {
    const der = Buffer.concat([ec.publicKey.export({ format: 'der', type: 'spki' }), Buffer.from([0, 0, 0])])
    const pem = `-----BEGIN PUBLIC KEY-----\n${der.toString('base64')}\n-----END PUBLIC KEY-----\n`
    const key = parseDeviceKey(pem, 'ES256')
    expect(key && toSpkiPem(key)).toBe(ecPem)
  })
})
