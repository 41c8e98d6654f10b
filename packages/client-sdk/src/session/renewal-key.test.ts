import { hkdfSync } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { newRenewalKey, nextRenewalKey } from './renewal-key.ts'

describe('the key of the next renewal', () => {
  it('is HKDF-SHA256 of the present key and the new refresh token', async () => {
    const key = newRenewalKey() ?? ''
    expect(key).toMatch(/^[\w-]{22}$/)
    const derived = hkdfSync('sha256', key, 'a.refresh.token', 'countersign/v1/renewal-key', 32)
    expect(await nextRenewalKey(key, 'a.refresh.token')).toBe(Buffer.from(derived).toString('base64url'))
    expect(await nextRenewalKey(key, 'another.refresh.token')).not.toBe(Buffer.from(derived).toString('base64url'))
  })

  it('equals the recorded value for the same key and token', async () => {
    expect(await nextRenewalKey('AAAAAAAAAAAAAAAAAAAAAA', 'a.refresh.token')).toMatchInlineSnapshot(
      `"O4UIFwPVpMhU6ySmrgHLMblNiqSFHf_t4thi2uBJwBg"`,
    )
  })

  it('is random without a present key, and without WebCrypto', async () => {
    const keys = [await nextRenewalKey(undefined, 'r'), await nextRenewalKey(undefined, 'r')]
    const { crypto } = globalThis
    vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) })
    keys.push(await nextRenewalKey('k', 'r'), await nextRenewalKey('k', 'r'))
    for (const key of keys) expect(key).toMatch(/^[\w-]{22}$/)
    expect(new Set(keys).size).toBe(4)
  })

  it('is missing on a platform without random numbers', async () => {
    vi.stubGlobal('crypto', undefined)
    expect([newRenewalKey(), await nextRenewalKey('k', 'r')]).toEqual([undefined, undefined])
  })
})
