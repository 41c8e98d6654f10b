import { limits, type TokenUse } from '@countersign/contract'
import { errors, jwtVerify } from 'jose'
import { fromBase64Url } from '../crypto/base64.ts'
import type { Deps } from '../deps.ts'
import { type ClaimsOf, claimsOfUse } from './claims.ts'
import { tokenTypes, useOfType } from './token-types.ts'

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
const readHeader = (part: string): ProtectedHeader | undefined => {
  const { alg, typ, kid, ...others } = readPart(part) ?? {}
  const use = useOfType(typ)
  if (alg !== 'HS256' || use === undefined || typeof kid !== 'string' || Object.keys(others).length > 0) return undefined
  return { use, kid }
}

/**
 * Checks a compact JWS of one of `uses`: form, size, `typ`, `kid` on the ring, HS256 under that use's own key, issuer,
 * audience, times and every claim (RFC 8725). `undefined` where anything is wrong; callers give no reason either.
 * Whether its session still lives is another question: see `authenticate`.
 */
export const verifyToken = async <U extends TokenUse>(
  { tokenKeys, clock, options }: Pick<Deps, 'tokenKeys' | 'clock' | 'options'>,
  token: string,
  uses: readonly U[],
): Promise<ClaimsOf<U> | undefined> => {
  if (token.length > limits.tokenBytes) return undefined
  const [headerPart, payloadPart, signaturePart, ...rest] = token.split('.')
  if (headerPart === undefined || payloadPart === undefined || signaturePart === undefined || rest.length > 0) return undefined
  const header = readHeader(headerPart)
  if (header === undefined || !uses.includes(header.use as U)) return undefined
  const key = tokenKeys[header.use].keys.get(header.kid)
  if (key === undefined || fromBase64Url(signaturePart) === undefined) return undefined
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      typ: tokenTypes[header.use],
      issuer: options.issuer,
      audience: options.issuer,
      currentDate: new Date(clock.now()),
      requiredClaims: ['exp', 'iat', 'iss', 'aud', 'sub', 'jti'],
    })
    if (readPart(payloadPart) === undefined) return undefined
    const claims = claimsOfUse[header.use].safeParse(payload)
    return claims.success ? (claims.data as ClaimsOf<U>) : undefined
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined
    throw error
  }
}
