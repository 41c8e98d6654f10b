import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { generateDeviceKeyPair } from '@countersign/core/testing'
import { expect, it } from 'vitest'
import { keyThumbprint } from './key-thumbprint.ts'

/** The thumbprint as RFC 7638 says, of the JWK that Node makes. */
const expectedOf = (key: KeyObject): string => {
  const { kty, crv, x, y, e, n } = key.export({ format: 'jwk' })
  const members = kty === 'EC' ? { crv, kty, x, y } : { e, kty, n }
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url')
}

const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength }).publicKey
const pem = (key: KeyObject, type: 'spki' | 'pkcs1') => key.export({ format: 'pem', type }).toString()
const thumbprintOf = (text: string) => keyThumbprint((bytes) => crypto.subtle.digest('SHA-256', bytes), text)

it('the thumbprint of a P-256 key is the thumbprint of RFC 7638', async () => {
  for (let run = 0; run < 50; run += 1) {
    const { publicKey } = generateDeviceKeyPair('ES256')
    expect(await thumbprintOf(pem(publicKey, 'spki'))).toBe(expectedOf(publicKey))
  }
})

it.each([2048, 2049, 2056, 3072, 4096])(
  'the thumbprint of an RSA key of %i bits, as SPKI and as PKCS#1, is the thumbprint of RFC 7638',
  async (bits) => {
    const key = rsa(bits)
    const expected = expectedOf(key)
    expect(await thumbprintOf(pem(key, 'spki'))).toBe(expected)
    expect(await thumbprintOf(pem(key, 'pkcs1'))).toBe(expected)
    expect(await thumbprintOf(pem(key, 'pkcs1').replaceAll('\n', '\r\n'))).toBe(expected)
  },
)
