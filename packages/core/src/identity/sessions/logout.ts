import type { Checked } from '@countersign/contract'
import type { Caller } from '../authentication/caller.ts'
import type { IdentityDeps } from '../deps.ts'
import { verifyTokenUncached } from '../tokens/verify-token.ts'

/**
 * Ends the session of the caller, and the session of the refresh token if it belongs to the same user. Any other refresh
 * token is ignored, and the response is the same (RFC 7009 §2.2). @throws Invalid
 * @example await countersign.auth.logout({ caller, refreshToken })
 */
export async function logout(
  deps: Pick<IdentityDeps, 'storage' | 'clock' | 'tokenKeys' | 'options'>,
  input: Checked<'auth.logout'> & { readonly caller: Caller },
): Promise<void> {
  const claims = verifyTokenUncached(deps, input.refreshToken, ['refresh', 'biometric_refresh'])
  const now = deps.clock.now()
  await deps.storage.sessions.end(input.caller.sessionId, 'logout', now)
  if (claims !== undefined && claims.id === input.caller.userId && claims.session_id !== input.caller.sessionId) {
    await deps.storage.sessions.end(claims.session_id, 'logout', now)
  }
}
