import { Invalid } from '../../shared/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { readSignedToken } from '../tokens/verify-token.ts'

/**
 * Returns the id of the session that a token names, if this service signed the token for a user; otherwise `undefined`. The
 * token may be expired, and the session may have ended. Only the signature is checked, without a query, so that a rate limit can
 * count the session.
 * @throws Invalid if the token is not a string
 * @example const sessionId = countersign.auth.sessionOfToken({ token })
 */
export function sessionOfToken(
  deps: Pick<IdentityDeps, 'tokenKeys' | 'options'>,
  input: { readonly token: string },
): string | undefined {
  if (typeof input?.token !== 'string') throw new Invalid({ token: 'must be a token' })
  const claims = readSignedToken(deps, input.token)
  return claims === undefined || claims.token_use === 'service' ? undefined : claims.session_id
}
