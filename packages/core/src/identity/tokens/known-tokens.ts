import type { TokenUse } from '@countersign/contract'
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../shared/clock.ts'
import { type AnyClaims, isExpired } from './claims.ts'

const MOST_TOKENS = 20_000
/** A shorter token counts as this many characters, so that the cache holds at most `MOST_TOKENS`. */
const FEWEST_CHARACTERS = 419
/** About ten thousand tokens of usual size, about twenty megabytes of memory. */
const MOST_CHARACTERS = MOST_TOKENS * FEWEST_CHARACTERS

/** The kinds of tokens that clients present repeatedly. A refresh token is presented once, and must not stay in memory. */
const REMEMBERED: ReadonlySet<TokenUse> = new Set<TokenUse>(['access', 'biometric_access', 'service'])

/**
 * A cache of verified tokens and their claims. Only verified tokens are stored, so callers without valid tokens cannot fill the
 * cache.
 */
export interface KnownTokens {
  /**
   * Returns the claims of a token, looked up by its full text (CVE-2026-35039). Returns `undefined` if the token is unknown
   * or expired.
   */
  get(token: string, now: Instant): AnyClaims | undefined
  /** Stores a verified token. Does nothing for a refresh token. */
  keep(token: string, claims: AnyClaims): void
}

interface KnownToken {
  readonly token: string
  readonly claims: AnyClaims
}

/**
 * The key of a token in the cache: its signature. A `Map` hashes its whole key, and a signature is a tenth of a token. The full
 * texts are compared as well.
 */
const signatureOf = (token: string): string => token.slice(token.lastIndexOf('.') + 1)

/** Creates a cache that evicts the least recently used tokens. Each key ring needs its own cache. */
export const knownTokens = (): KnownTokens => {
  const known = new LRUCache<string, KnownToken>({
    // Not `max`: with it, the library allocates arrays of that length for each `Countersign`.
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ token }) => Math.max(token.length, FEWEST_CHARACTERS),
  })
  return {
    get: (token, now) => {
      const found = known.get(signatureOf(token))
      if (found === undefined || found.token !== token) return undefined
      if (!isExpired(found.claims, now)) return found.claims
      known.delete(signatureOf(token))
      return undefined
    },
    keep: (token, claims) => {
      if (REMEMBERED.has(claims.token_use)) known.set(signatureOf(token), { token, claims })
    },
  }
}
