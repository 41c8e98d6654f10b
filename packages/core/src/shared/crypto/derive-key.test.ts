import { webcrypto } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { deriveKey } from './key-ring.ts'

const secret = Uint8Array.from({ length: 32 }, (_, index) => index)

describe('a derived key', () => {
  it('equals HKDF-SHA256 of another implementation', async () => {
    const material = await webcrypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
    const info = Buffer.from('countersign/v1/jwt/access')
    const bits = await webcrypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }, material, 256)
    expect(deriveKey(secret, 'jwt/access')).toStrictEqual(new Uint8Array(bits))
  })

  it('differs for another purpose and for another secret', () => {
    const keys = [deriveKey(secret, 'jwt/access'), deriveKey(secret, 'jwt/refresh'), deriveKey(secret.toReversed(), 'jwt/access')]
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(3)
  })
})
