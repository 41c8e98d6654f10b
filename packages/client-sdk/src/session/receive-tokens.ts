import type { Output } from '@countersign/contract'
import type { Milliseconds } from '../shared/time/units.ts'
import { claimsOf } from './claims.ts'
import type { StoredTokens } from './token-store.ts'

/** An access token is renewed at most this long before its end, and at most a tenth of its lifetime before. */
const LONGEST_MARGIN: Milliseconds = 60_000

/** Prepares a token pair for the store. Its lifetime is added to this machine's clock, so that a wrong clock does not matter. */
export const receiveTokens = (kind: StoredTokens['kind'], pair: Output<'auth.login'>): StoredTokens => {
  const now = Date.now()
  const { iat } = claimsOf(pair.accessToken)
  const lifetime = Math.max(0, Date.parse(pair.accessTokenExpiresAt) - (iat === undefined ? now : iat * 1000))
  const renewAt = now + lifetime - Math.min(LONGEST_MARGIN, lifetime / 10)
  return { kind, ...pair, renewAt }
}

/** Returns the end of the refresh token by this machine's clock. Only lengths of time come from the service's clock. */
export const endOf = ({ renewAt, accessTokenExpiresAt, refreshTokenExpiresAt }: StoredTokens): number =>
  renewAt + Date.parse(refreshTokenExpiresAt) - Date.parse(accessTokenExpiresAt)

export const isExpired = (tokens: StoredTokens): boolean => Date.now() > endOf(tokens)
