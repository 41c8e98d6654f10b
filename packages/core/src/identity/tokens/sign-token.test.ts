import { limits } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { defaultOptions } from '../../options.ts'
import { seconds } from '../../shared/clock.ts'
import { parseKeyRing } from '../../shared/crypto/key-ring.ts'
import { randomUuid, systemRandom } from '../../shared/random.ts'
import { clockStart, fakeClock } from '../../testing/fake-clock.ts'
import { forgeToken, readForged } from '../../testing/forge-token.ts'
import { signToken, TokenTooLong } from './sign-token.ts'
import { deriveTokenKeys } from './token-keys.ts'
import { verifyTokenUncached } from './verify-token.ts'

const life = { issuedAt: clockStart, expiresAt: clockStart + seconds(60) }

/** Returns the dependencies for signing and verifying, with a key id of this length. Four lengths cover every token length. */
const given = (kidCharacters: number) => {
  const secret = Buffer.from(systemRandom.bytes(32)).toString('base64url')
  const tokenKeys = deriveTokenKeys(parseKeyRing(`${'k'.repeat(kidCharacters)}:${secret}`))
  const deps = { tokenKeys, options: defaultOptions, clock: fakeClock() }
  const jti = randomUuid(systemRandom)
  const content = (name: string) => ({ sub: 'service:a', jti, session_id: jti, service_name: name, permissions: [] })
  const sign = (characters: number): string => signToken(deps, 'service', content('n'.repeat(characters)), life).token
  return { deps, sign, overhead: sign(0).length }
}

describe('a token', () => {
  it('is signed up to the maximum length, and refused beyond it', () => {
    const lengths = new Set<number>()
    for (const kidCharacters of [6, 7, 8, 9]) {
      const { deps, sign, overhead } = given(kidCharacters)
      let characters = Math.floor(((limits.tokenBytes - overhead) * 3) / 4) - 4
      let longest = ''
      const signNext = () => {
        longest = sign(characters)
        characters += 1
      }
      expect(() => {
        for (;;) signNext()
      }).toThrow(TokenTooLong)
      lengths.add(longest.length)
      expect(verifyTokenUncached(deps, longest, ['service'])).toBeDefined()

      const { header, payload } = readForged(longest)
      const { key } = deps.tokenKeys.service.current
      const longer = forgeToken({ header, payload: { ...payload, service_name: 'n'.repeat(characters) }, key })
      expect(longer.length).toBeGreaterThan(limits.tokenBytes)
      expect(verifyTokenUncached(deps, longer, ['service'])).toBeUndefined()
    }
    expect(Math.max(...lengths)).toBe(limits.tokenBytes)
  })
})
