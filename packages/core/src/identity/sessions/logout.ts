import type { Checked } from '@countersign/contract'
import type { IdentityDeps } from '../deps.ts'
import { reaches } from '../records/bound.ts'
import { verifyTokenUncached } from '../tokens/verify-token.ts'
import { boundOfCaller, type InSession } from './bound-of-caller.ts'

/**
 * Ends the session of the caller, and the session of the refresh token if it is of the same user and the caller reaches it. Any
 * other refresh token is ignored, with the same response (RFC 7009 §2.2). @throws Invalid
 * @example await countersign.auth.logout({ caller, refreshToken })
 */
export async function logout(deps: IdentityDeps, input: Checked<'auth.logout'> & InSession): Promise<void> {
  const claims = verifyTokenUncached(deps, input.refreshToken, ['refresh', 'biometric_refresh'])
  const { caller } = input
  const now = deps.clock.now()
  const isOther = claims !== undefined && claims.id === caller.userId && claims.session_id !== caller.sessionId
  const other = isOther ? await deps.storage.sessions.byId(claims.session_id) : undefined
  const isReached = other !== undefined && reaches(await boundOfCaller(deps, caller), other.tenants)
  await deps.storage.sessions.end(caller.sessionId, 'logout', now)
  if (isReached) await deps.storage.sessions.end(other.id, 'logout', now)
}
