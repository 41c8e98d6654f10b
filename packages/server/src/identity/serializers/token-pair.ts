import type { Output } from '@countersign/contract'
import { type TokenPair, toIsoTimestamp } from '@countersign/core'

export const serializeTokenPair = (pair: TokenPair): Output<'auth.login'> => ({
  accessToken: pair.accessToken,
  refreshToken: pair.refreshToken,
  accessTokenExpiresAt: toIsoTimestamp(pair.accessTokenExpiresAt),
  refreshTokenExpiresAt: toIsoTimestamp(pair.refreshTokenExpiresAt),
})

/** The token pair in the form of a device login. */
export const serializeDeviceLogin = (pair: TokenPair): Output<'mobile.finishLogin'> => ({
  success: true,
  tokens: serializeTokenPair(pair),
})
