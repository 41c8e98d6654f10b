import { LRUCache } from 'lru-cache'
import type { Instant } from '../ports/clock.ts'
import type { AnyClaims } from './claims.ts'
import { isExpired } from './expiry.ts'

/** Tokens, and characters of all their texts: some ten thousand of the usual size, and at most twenty megabytes or so. */
const MOST_TOKENS = 20_000
const MOST_CHARACTERS = 8 * 1024 * 1024

/**
 * Of a token, the text of its signature: 256 bits in base64url. Looked up by that rather than by hundreds of characters,
 * whose hash takes as long as the rest of a look-up four times over.
 */
const SIGNATURE_CHARACTERS = 43

/** Tokens that were found genuine, with what they say. Only such ones are kept, so that nobody else can fill it. */
export interface KnownTokens {
  /** What the very token says, the whole of it compared (CVE-2026-35039); `undefined` where it is not known, or has expired. */
  get(token: string, now: Instant): AnyClaims | undefined
  keep(token: string, claims: AnyClaims): void
}

/** Those last asked about stay. A process has one for each ring of keys: what is known is known under those keys alone. */
export const knownTokens = (): KnownTokens => {
  const tokens = new LRUCache<string, { readonly token: string; readonly claims: AnyClaims }>({
    max: MOST_TOKENS,
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ token }) => token.length,
  })
  const signatureOf = (token: string): string => token.slice(-SIGNATURE_CHARACTERS)
  return {
    get: (token, now) => {
      const known = tokens.get(signatureOf(token))
      if (known === undefined || known.token !== token) return undefined
      if (!isExpired(known.claims, now)) return known.claims
      tokens.delete(signatureOf(token))
      return undefined
    },
    keep: (token, claims) => {
      tokens.set(signatureOf(token), { token, claims })
    },
  }
}
