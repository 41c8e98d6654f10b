import type { Output } from '@countersign/contract'
import { claimsOf } from './claims.ts'
import type { StoredTokens } from './token-store.ts'

/** Milliseconds before the end of an access token, at most, at which it is renewed; a tenth of its life where that is less. */
const LONGEST_MARGIN = 60_000

/**
 * Makes a token pair that has just arrived ready to be stored. How long the access token is good for is told by the
 * service's clock alone, from issue to end; that time is laid on from now by this machine's. So a clock that is hours off
 * makes no difference.
 */
export const receiveTokens = (kind: StoredTokens['kind'], pair: Output<'auth.login'>): StoredTokens => {
  const now = Date.now()
  const { iat } = claimsOf(pair.accessToken)
  const lifetime = Math.max(0, Date.parse(pair.accessTokenExpiresAt) - (iat === undefined ? now : iat * 1000))
  const renewAt = now + lifetime - Math.min(LONGEST_MARGIN, lifetime / 10)
  return { kind, ...pair, renewAt }
}
