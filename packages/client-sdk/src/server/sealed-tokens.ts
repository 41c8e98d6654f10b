import { claimsOf } from '../session/claims.ts'
import { isExpired } from '../session/receive-tokens.ts'
import type { StoredTokens } from '../session/token-store.ts'
import { CountersignError } from '../shared/errors/countersign-error.ts'
import { type Jar, joinCookies, splitCookie } from './cookie-parts.ts'
import { open, seal } from './seal.ts'

interface Sealed {
  /** The time of the sealing: milliseconds since 1970. */
  readonly sealedAt: number
  readonly tokens: StoredTokens
}

/** Seals tokens into cookies by their names; an empty value deletes a cookie. @throws CountersignError `PAYLOAD_TOO_LARGE` */
export const sealTokens = async (tokens: StoredTokens, secret: string, name: string): Promise<ReadonlyMap<string, string>> => {
  const sealed: Sealed = { sealedAt: Date.now(), tokens }
  const value = await seal(JSON.stringify(sealed), secret, name)
  const cookies = splitCookie(name, value)
  if (cookies) return cookies
  const { permissions = [] } = claimsOf(tokens.accessToken)
  const cause = `with its ${permissions.length} permissions, the session needs ${value.length} bytes`
  const message = `The cookies of the session would be too long: ${cause}. Grant fewer, such as payment.* for all of payment`
  throw new CountersignError(message, { code: 'PAYLOAD_TOO_LARGE' })
}

/** Returns the tokens that were sealed last into the cookies, unless they have expired. */
export const openTokens = async (jar: Jar, secrets: readonly string[], name: string): Promise<StoredTokens | undefined> => {
  const texts = await Promise.all(joinCookies(name, jar).map((value) => open(value, secrets, name)))
  const opened = texts.flatMap((text) => (text === undefined ? [] : [JSON.parse(text) as Sealed]))
  const newest = opened.sort((one, other) => other.sealedAt - one.sealedAt)[0]?.tokens
  return newest && !isExpired(newest) ? newest : undefined
}
