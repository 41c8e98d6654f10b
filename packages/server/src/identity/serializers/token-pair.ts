import type { Output } from '@countersign/contract'
import { type TokenPair, toIsoTimestamp } from '@countersign/core'
import { noteUser, type RequestFacts } from '../../http/request-facts.ts'

/** Serializes the token pair of a login or refresh, and notes its user: the request itself had no authenticated caller. */
export const serializeTokenPair = (pair: TokenPair, facts: RequestFacts): Output<'auth.login'> => {
  noteUser(facts, pair)
  return {
    accessToken: pair.accessToken,
    refreshToken: pair.refreshToken,
    accessTokenExpiresAt: toIsoTimestamp(pair.accessTokenExpiresAt),
    refreshTokenExpiresAt: toIsoTimestamp(pair.refreshTokenExpiresAt),
  }
}

/** The token pair in the form of a device login. */
export const serializeDeviceLogin = (pair: TokenPair, facts: RequestFacts): Output<'mobile.finishLogin'> => ({
  success: true,
  tokens: serializeTokenPair(pair, facts),
})
