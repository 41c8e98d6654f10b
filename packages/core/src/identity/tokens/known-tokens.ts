import type { TokenUse } from '@countersign/contract'
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../shared/clock.ts'
import { type AnyClaims, isExpired } from './claims.ts'

/**
 * The maximum number of tokens and of their characters: about ten thousand tokens of usual size, about twenty megabytes of
 * memory.
 */
const MOST_TOKENS = 20_000
const MOST_CHARACTERS = 8 * 1024 * 1024

/** The kinds of tokens that clients present repeatedly. A refresh token is presented once, and must not stay in memory. */
const REMEMBERED: ReadonlySet<TokenUse> = new Set<TokenUse>(['access', 'biometric_access', 'service'])

/**
 * A cache of verified tokens and their claims. Only verified tokens are stored, so callers without valid tokens cannot fill the
 * cache.
 */
export interface KnownTokens {
  /**
   * Returns the claims of a token, looked up by its full text (CVE-2026-35039). Returns `undefined` where the token is unknown
   * or expired.
   */
  get(token: string, now: Instant): AnyClaims | undefined
  /** Stores a verified token. Does nothing for a refresh token. */
  keep(token: string, claims: AnyClaims): void
}

/** Creates a cache that evicts the least recently used tokens. Each key ring needs its own cache. */
export const knownTokens = (): KnownTokens => {
  const tokens = new LRUCache<string, AnyClaims>({
    max: MOST_TOKENS,
    maxSize: MOST_CHARACTERS,
    sizeCalculation: (_, token) => token.length,
  })
  return {
    get: (token, now) => {
      const claims = tokens.get(token)
      if (claims === undefined || !isExpired(claims, now)) return claims
      tokens.delete(token)
      return undefined
    },
    keep: (token, claims) => {
      if (REMEMBERED.has(claims.token_use)) tokens.set(token, claims)
    },
  }
}
