import { type TokenUse, tokenUses } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import type { AnyClaims } from './claims.ts'
import { knownTokens } from './verify-token.ts'

const claims = (exp: number, token_use: TokenUse = 'access'): AnyClaims => ({ exp, token_use }) as AnyClaims

describe('cached tokens', () => {
  it('are looked up by their full text', () => {
    const known = knownTokens()
    known.keep('header.payload.signature', claims(2))
    expect(known.get('header.payload.signature', 1000)).toStrictEqual(claims(2))
    expect(known.get('header.payload.signaturE', 1000)).toBeUndefined()
    expect(known.get('header.payload', 1000)).toBeUndefined()
    const signature = 's'.repeat(43)
    known.keep(`header.payload.${signature}`, claims(3))
    expect(known.get(`header.payloaD.${signature}`, 1000), 'other claims under the same signature').toBeUndefined()
  })

  it.each(tokenUses)('exclude refresh tokens and include other tokens: %s', (use) => {
    const known = knownTokens()
    known.keep('token', claims(2, use))
    expect(known.get('token', 0) !== undefined).toBe(!use.endsWith('refresh'))
  })

  it('are evicted at a look-up after their expiry', () => {
    const known = knownTokens()
    known.keep('token', claims(2))
    expect(known.get('token', 1999)).toBeDefined()
    expect(known.get('token', 2000)).toBeUndefined()
    expect(known.get('token', 1999)).toBeUndefined()
  })

  it('have bounded memory, and the most recently used tokens stay', () => {
    const known = knownTokens()
    const count = 40_000
    for (let number = 0; number < count; number += 1) {
      known.keep(`${number}`.padStart(700), claims(2))
      known.get('0'.padStart(700), 0)
    }
    const kept = Array.from({ length: count }, (_, number) => known.get(`${number}`.padStart(700), 0)).filter(Boolean)
    expect(kept.length).toBeGreaterThan(5000)
    expect(kept.length * 700).toBeLessThanOrEqual(8 * 1024 * 1024)
    expect(known.get('0'.padStart(700), 0)).toBeDefined()
    for (let number = 0; number < count; number += 1) known.keep(`short ${number}`, claims(2))
    expect(Array.from({ length: count }, (_, number) => known.get(`short ${number}`, 0)).filter(Boolean)).toHaveLength(20_000)
  })
})
