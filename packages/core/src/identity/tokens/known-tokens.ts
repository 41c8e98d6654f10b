import type { TokenUse } from '@countersign/contract'
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../shared/clock.ts'
import { type AnyClaims, isExpired } from './claims.ts'

/** Tokens, and characters of all their texts: some ten thousand of the usual size, and at most twenty megabytes or so. */
const MOST_TOKENS = 20_000
const MOST_CHARACTERS = 8 * 1024 * 1024

/**
 * Uses of the tokens that come with request after request. A refresh token is presented once, and whoever reads this memory
 * must find none in it.
 */
const REMEMBERED: ReadonlySet<TokenUse> = new Set<TokenUse>(['access', 'biometric_access', 'service'])

/** Tokens that were found genuine, with what they say. Only such ones are kept, so that nobody else can fill it. */
export interface KnownTokens {
  /** What the very token says, told by the whole of it (CVE-2026-35039); `undefined` where it is not known, or has expired. */
  get(token: string, now: Instant): AnyClaims | undefined
  /** Keeps a genuine token; nothing for a refresh token. */
  keep(token: string, claims: AnyClaims): void
}

/** Those last asked about stay. A process has one for each ring of keys: what is known is known under those keys alone. */
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
