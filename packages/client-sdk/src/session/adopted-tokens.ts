import type { Output } from '@countersign/contract'
import { refusedInput } from '../shared/errors/countersign-error.ts'
import { claimsOf } from './claims.ts'
import type { StoredTokens } from './token-store.ts'

type TokenPair = Output<'auth.login'>

/** A token pair that another program received. The times are ISO 8601 timestamps, or milliseconds since 1970 as of the core. */
export type AdoptedTokens = { readonly [Member in keyof TokenPair]: TokenPair[Member] | number } & Pick<
  TokenPair,
  'accessToken' | 'refreshToken'
>

/** Returns the tokens as a login stores them. @throws CountersignError `VALIDATION_ERROR` for anything else */
export const adoptedTokens = (tokens: AdoptedTokens): readonly [StoredTokens['kind'], TokenPair] => {
  try {
    const { accessToken, refreshToken } = tokens
    const { session_id, device_id } = claimsOf(accessToken)
    if (session_id && session_id === claimsOf(refreshToken).session_id)
      return [
        device_id ? 'biometric' : 'standard',
        {
          accessToken,
          refreshToken,
          accessTokenExpiresAt: new Date(tokens.accessTokenExpiresAt).toISOString(),
          refreshTokenExpiresAt: new Date(tokens.refreshTokenExpiresAt).toISOString(),
        },
      ]
  } catch {
    // The error below says what `tokens` must be.
  }
  throw refusedInput('tokens', 'must be a token pair')
}
