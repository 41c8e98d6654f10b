import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { limits, type TokenUse } from '@countersign/contract'
import { type Instant, seconds } from '../../shared/clock.ts'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import type { BaseDeps } from '../base-deps.ts'
import { type ClaimsOf, tokenTypes } from './claims.ts'
import type { TokenKeys } from './token-keys.ts'

/** The claims of a token, except the claims that the signer adds. */
export type TokenContent<U extends TokenUse> = Omit<ClaimsOf<U>, 'iss' | 'aud' | 'iat' | 'exp' | 'token_use'>

export interface SignedToken {
  readonly token: string
  /** The expiry, rounded down to a whole second like `exp`. */
  readonly expiresAt: Instant
}

const writePart = (part: object): string => toBase64Url(Buffer.from(JSON.stringify(part)))

/** Signs a compact JWS with HS256 (RFC 7515 §7.1), in whole seconds. @throws TokenTooLong if `verifyToken` would refuse it */
export const signToken = <U extends TokenUse>(
  { tokenKeys, options }: Pick<BaseDeps, 'options'> & { readonly tokenKeys: TokenKeys },
  use: U,
  content: TokenContent<U>,
  life: { readonly issuedAt: Instant; readonly expiresAt: Instant },
): SignedToken => {
  const { kid, key } = tokenKeys[use].current
  const exp = Math.floor(life.expiresAt / 1000)
  const claims = {
    ...content,
    token_use: use,
    iss: options.issuer,
    aud: options.issuer,
    iat: Math.floor(life.issuedAt / 1000),
    exp,
  }
  const signed = `${writePart({ alg: 'HS256', typ: tokenTypes[use], kid })}.${writePart(claims)}`
  const token = `${signed}.${signHs256(key, signed)}`
  if (token.length > limits.tokenBytes) throw new TokenTooLong(token.length)
  return { token, expiresAt: seconds(exp) }
}

/** The token would exceed the accepted size because of its content, so it is not signed. */
export class TokenTooLong extends Error {
  override readonly name = 'TokenTooLong'
  readonly code = 'token_too_long'
  readonly characters: number

  constructor(characters: number) {
    super(`a token of ${characters} characters is longer than any that is accepted`)
    this.characters = characters
  }
}

/** Returns the HMAC-SHA256 signature of a text (RFC 7518 §3.2), as base64url without padding. */
const signHs256 = (key: KeyObject, text: string): string => createHmac('sha256', key).update(text).digest('base64url')

/** Returns whether the signature belongs to the text, in constant time (RFC 7515 §8.1), and in its only spelling. */
export const isSignedHs256 = (key: KeyObject, text: string, signature: string): boolean => {
  const [expected, given] = [Buffer.from(signHs256(key, text)), Buffer.from(signature)]
  return given.length === expected.length && timingSafeEqual(expected, given)
}
