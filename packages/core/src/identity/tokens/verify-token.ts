import { limits, type TokenUse } from '@countersign/contract'
import { LRUCache } from 'lru-cache'
import { type Instant, realTime } from '../../shared/clock.ts'
import { fromBase64Url } from '../../shared/crypto/base64.ts'
import type { BaseDeps } from '../base-deps.ts'
import { type AnyClaims, type ClaimsOf, claimsOfUse, isExpired, useOfType } from './claims.ts'
import { isSignedHs256 } from './sign-token.ts'
import type { TokenKeys } from './token-keys.ts'

const MOST_TOKENS = 20_000
/** A shorter token counts as this many characters, so that the cache has at most `MOST_TOKENS` tokens. */
const FEWEST_CHARACTERS = 419
/** About ten thousand tokens of usual size, about twenty megabytes of memory. */
const MOST_CHARACTERS = MOST_TOKENS * FEWEST_CHARACTERS

/** The kinds of tokens that clients present repeatedly. A refresh token is presented once, and must not stay in memory. */
const REMEMBERED: ReadonlySet<TokenUse> = new Set<TokenUse>(['access', 'biometric_access', 'service'])

/** The key of a token in the cache: its signature, which is a tenth of the text to hash. The full texts are compared as well. */
const signatureOf = (token: string): string => token.slice(token.lastIndexOf('.') + 1)

export type KnownTokens = ReturnType<typeof knownTokens>

/**
 * Creates a cache of verified tokens and their claims, which callers without valid tokens cannot fill. Each key ring needs its own.
 */
export const knownTokens = () => {
  const known = new LRUCache<string, { readonly token: string; readonly claims: AnyClaims }>({
    // Not `max`: with it, the library allocates arrays of that length for each `Countersign`.
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ token }) => Math.max(token.length, FEWEST_CHARACTERS),
  })
  return {
    /** Returns the claims of an unexpired token, looked up by its full text (CVE-2026-35039). */
    get: (token: string, now: Instant): AnyClaims | undefined => {
      const found = known.get(signatureOf(token))
      if (found === undefined || found.token !== token) return undefined
      if (!isExpired(found.claims, now)) return found.claims
      known.delete(signatureOf(token))
      return undefined
    },
    /** Stores a verified token. Does nothing for a refresh token. */
    keep: (token: string, claims: AnyClaims): void => {
      if (REMEMBERED.has(claims.token_use)) known.set(signatureOf(token), { token, claims })
    },
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes a JSON object, written as `JSON.stringify` does: without duplicate members, white space and other encodings. */
const readPart = (part: string): Record<string, unknown> | undefined => {
  const bytes = fromBase64Url(part)
  if (bytes === undefined) return undefined
  try {
    const text = strictUtf8.decode(bytes)
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject && JSON.stringify(value) === text ? (value as Record<string, unknown>) : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}

interface ProtectedHeader {
  readonly use: TokenUse
  readonly kid: string
}

/** Parses a header with exactly `alg`, `typ` and `kid`: no `crit`, no embedded key, no URL of a key (RFC 8725 §3.10). */
const parseHeader = (part: string): ProtectedHeader | undefined => {
  const { alg, typ, kid, ...others } = readPart(part) ?? {}
  const use = useOfType(typ)
  if (alg !== 'HS256' || use === undefined || typeof kid !== 'string' || Object.keys(others).length > 0) return undefined
  return { use, kid }
}

/** Parsed headers of verified tokens, by their encoded text: as many as kinds of tokens, keys and member orders. */
const knownHeaders = new LRUCache<string, ProtectedHeader>({ max: 256 })

type VerifyDeps = Pick<BaseDeps, 'clock' | 'options'> & { readonly tokenKeys: TokenKeys }

/** Refresh tokens have the times of their row; see `issueTokens`. Every other token has real times. */
const ROW_TIMES: ReadonlySet<TokenUse> = new Set<TokenUse>(['refresh', 'biometric_refresh'])

/** Returns the claims of a token that one of our keys signed, without a check of issuer, audience, times and kind. */
export const signedClaims = ({ tokenKeys }: Pick<VerifyDeps, 'tokenKeys'>, token: string): AnyClaims | undefined => {
  if (token.length > limits.tokenBytes) return undefined
  const [headerPart, payloadPart, signaturePart, ...rest] = token.split('.')
  if (headerPart === undefined || payloadPart === undefined || signaturePart === undefined || rest.length > 0) return undefined
  const header = knownHeaders.get(headerPart) ?? parseHeader(headerPart)
  if (header === undefined) return undefined
  const key = tokenKeys[header.use].keys.get(header.kid)
  const signed = token.slice(0, headerPart.length + 1 + payloadPart.length)
  if (key === undefined || !isSignedHs256(key, signed, signaturePart)) return undefined
  knownHeaders.set(headerPart, header)
  const parsed = claimsOfUse[header.use].safeParse(readPart(payloadPart))
  return parsed.success ? parsed.data : undefined
}

/** Returns the claims of a token that this service signed for itself. The token may be expired. */
export const readSignedToken = (deps: Omit<VerifyDeps, 'clock'>, token: string): AnyClaims | undefined => {
  const claims = signedClaims(deps, token)
  return claims?.iss === deps.options.issuer && claims.aud === deps.options.issuer ? claims : undefined
}

/** Verifies a token without the cache. The caller checks the kind of the token. */
const verifyFully = (deps: VerifyDeps, token: string, now: Instant): AnyClaims | undefined => {
  const claims = readSignedToken(deps, token)
  if (claims === undefined) return undefined
  const at = ROW_TIMES.has(claims.token_use) ? now : realTime(deps.clock, now)
  return isExpired(claims, at) ? undefined : claims
}

const ofUses = <U extends TokenUse>(claims: AnyClaims | undefined, uses: readonly U[]): ClaimsOf<U> | undefined =>
  claims !== undefined && uses.includes(claims.token_use as U) ? (claims as ClaimsOf<U>) : undefined

/**
 * Verifies a token of one of `uses`: format, size, `typ`, `kid`, HS256 signature with the key of that kind, issuer, audience,
 * times and every claim (RFC 8725), but not its session (see `authenticate`). Returns `undefined` for any fault.
 *
 * Written by hand, because jose is slower and asynchronous. A test compares both verdicts on thousands of tokens.
 */
export const verifyTokenUncached = <U extends TokenUse>(
  deps: VerifyDeps,
  token: string,
  uses: readonly U[],
): ClaimsOf<U> | undefined => ofUses(verifyFully(deps, token, deps.clock.now()), uses)

/** Verifies a token that clients present repeatedly. A verified token is cached, and looked up by its full text the next time. */
export const verifyToken = <U extends TokenUse>(
  deps: VerifyDeps & { readonly knownTokens: KnownTokens },
  token: string,
  uses: readonly U[],
): ClaimsOf<U> | undefined => {
  const now = deps.clock.now()
  // Refresh tokens are never cached.
  const known = deps.knownTokens.get(token, realTime(deps.clock, now))
  const claims = known ?? verifyFully(deps, token, now)
  if (known === undefined && claims !== undefined) deps.knownTokens.keep(token, claims)
  return ofUses(claims, uses)
}
