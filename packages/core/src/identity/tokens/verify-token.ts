import { limits, type TokenUse } from '@countersign/contract'
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../shared/clock.ts'
import { fromBase64Url } from '../../shared/crypto/base64.ts'
import { isSignedHs256 } from '../../shared/crypto/hs256.ts'
import type { IdentityDeps } from '../deps.ts'
import { type AnyClaims, type ClaimsOf, claimsOfUse, isExpired } from './claims.ts'
import { useOfType } from './token-types.ts'

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The JSON object in one part of a token, where it is written as this issuer writes it. Signing and parsing JSON again
 * gives the same text, so repeated members, white space and other spellings of one token are refused.
 */
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

/** Only `alg`, `typ` and `kid` may stand in the header: no `crit`, no key, no address of one (RFC 8725 §3.10). */
const parseHeader = (part: string): ProtectedHeader | undefined => {
  const { alg, typ, kid, ...others } = readPart(part) ?? {}
  const use = useOfType(typ)
  if (alg !== 'HS256' || use === undefined || typeof kid !== 'string' || Object.keys(others).length > 0) return undefined
  return { use, kid }
}

/** Headers of genuine tokens, by their text. There are as many as uses, keys and orders of three members. */
const knownHeaders = new LRUCache<string, ProtectedHeader>({ max: 256 })

/** Of the few headers that there are, each need not be parsed with every token. */
const readHeader = (part: string): ProtectedHeader | undefined => knownHeaders.get(part) ?? parseHeader(part)

type VerifyDeps = Pick<IdentityDeps, 'tokenKeys' | 'clock' | 'options'>

/** Checks a token that was not seen before, all but whether it is of a use that is asked for. */
const verifyAnew = ({ tokenKeys, options }: VerifyDeps, token: string, now: Instant): AnyClaims | undefined => {
  if (token.length > limits.tokenBytes) return undefined
  const [headerPart, payloadPart, signaturePart, ...rest] = token.split('.')
  if (headerPart === undefined || payloadPart === undefined || signaturePart === undefined || rest.length > 0) return undefined
  const header = readHeader(headerPart)
  if (header === undefined) return undefined
  const key = tokenKeys[header.use].keys.get(header.kid)
  const signed = token.slice(0, headerPart.length + 1 + payloadPart.length)
  if (key === undefined || !isSignedHs256(key, signed, signaturePart)) return undefined
  knownHeaders.set(headerPart, header)
  const parsed = claimsOfUse[header.use].safeParse(readPart(payloadPart))
  if (!parsed.success) return undefined
  const claims: AnyClaims = parsed.data
  const isOurs = claims.iss === options.issuer && claims.aud === options.issuer
  return isOurs && !isExpired(claims, now) ? claims : undefined
}

const ofUses = <U extends TokenUse>(claims: AnyClaims | undefined, uses: readonly U[]): ClaimsOf<U> | undefined =>
  claims !== undefined && uses.includes(claims.token_use as U) ? (claims as ClaimsOf<U>) : undefined

/**
 * Checks a compact JWS of one of `uses`: form, size, `typ`, `kid` on the ring, HS256 under that use's own key, issuer,
 * audience, times and every claim (RFC 8725). `undefined` where anything is wrong; callers give no reason either.
 * Whether its session still lives is another question: see `authenticate`.
 *
 * HS256 is checked here rather than by jose, which takes four times as long and several turns; a test holds both to the
 * same verdict on thousands of tokens.
 */
export const verifyTokenOnce = <U extends TokenUse>(
  deps: VerifyDeps,
  token: string,
  uses: readonly U[],
): ClaimsOf<U> | undefined => ofUses(verifyAnew(deps, token, deps.clock.now()), uses)

/**
 * The same of a token that will be presented again. A genuine one is remembered, and the next time only looked up, whole:
 * without it, a list of devices is asked for a third less often in the same time.
 */
export const verifyToken = <U extends TokenUse>(
  deps: VerifyDeps & Pick<IdentityDeps, 'knownTokens'>,
  token: string,
  uses: readonly U[],
): ClaimsOf<U> | undefined => {
  const now = deps.clock.now()
  const known = deps.knownTokens.get(token, now)
  const claims = known ?? verifyAnew(deps, token, now)
  if (known === undefined && claims !== undefined) deps.knownTokens.keep(token, claims)
  return ofUses(claims, uses)
}
