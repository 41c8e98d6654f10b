import { limits, type TokenUse } from '@countersign/contract'
import { type Instant, seconds } from '../../shared/clock.ts'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import { signHs256 } from '../../shared/crypto/hs256.ts'
import type { IdentityDeps } from '../deps.ts'
import type { ClaimsOf } from './claims.ts'
import type { TokenUseKeys } from './token-keys.ts'
import { TokenTooLong } from './token-too-long.ts'
import { tokenTypes } from './token-types.ts'

/** The claims of a token without those that are the same for all tokens of this issuer. */
export type TokenContent<U extends TokenUse> = Omit<ClaimsOf<U>, 'iss' | 'aud' | 'iat' | 'exp' | 'token_use'>

export interface SignedToken {
  readonly token: string
  /** A whole second, as `exp` says it. */
  readonly expiresAt: Instant
}

const writePart = (part: object): string => toBase64Url(Buffer.from(JSON.stringify(part)))

/** Of each key of a use: a header says nothing else. */
const headers = new WeakMap<TokenUseKeys['current'], string>()

const headerOf = (use: TokenUse, current: TokenUseKeys['current']): string => {
  const known = headers.get(current)
  if (known !== undefined) return known
  const header = writePart({ alg: 'HS256', typ: tokenTypes[use], kid: current.kid })
  headers.set(current, header)
  return header
}

/**
 * Signs a token of one use: a compact JWS (RFC 7515 §7.1), HS256. Times are cut to whole seconds, as `NumericDate` is written
 * (RFC 7519 §2).
 *
 * @throws TokenTooLong rather than sign what `verifyToken` would refuse
 */
export const signToken = <U extends TokenUse>(
  { tokenKeys, options }: Pick<IdentityDeps, 'tokenKeys' | 'options'>,
  use: U,
  content: TokenContent<U>,
  life: { readonly issuedAt: Instant; readonly expiresAt: Instant },
): SignedToken => {
  const { current } = tokenKeys[use]
  const exp = Math.floor(life.expiresAt / 1000)
  const claims = {
    ...content,
    token_use: use,
    iss: options.issuer,
    aud: options.issuer,
    iat: Math.floor(life.issuedAt / 1000),
    exp,
  }
  const signed = `${headerOf(use, current)}.${writePart(claims)}`
  const token = `${signed}.${signHs256(current.key, signed)}`
  if (token.length > limits.tokenBytes) throw new TokenTooLong(token.length)
  return { token, expiresAt: seconds(exp) }
}
