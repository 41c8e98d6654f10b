import { Invalid } from '../../shared/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import type { SessionStanding } from '../sessions/session.ts'
import type { ClaimsOf } from '../tokens/claims.ts'
import { verifyToken } from '../tokens/verify-token.ts'
import type { Caller } from './caller.ts'
import { InvalidAccessToken } from './errors.ts'

/** Who presents these claims, as the database says how their session stands. @throws InvalidAccessToken */
export const callerOf = (claims: ClaimsOf<'access' | 'biometric_access'>, standing: SessionStanding | undefined): Caller => {
  if (standing === undefined || standing.userId !== claims.id) throw new InvalidAccessToken()
  return {
    userId: standing.userId,
    email: standing.email,
    // Of the caller's own: a standing is remembered, and whoever is told of it might change it.
    permissions: [...standing.permissions],
    sessionId: claims.session_id,
    tokenUse: claims.token_use,
    deviceId: claims.token_use === 'biometric_access' ? claims.device_id : null,
    trustLevel: claims.trust_level,
  }
}

/**
 * Who presents this access token, now: the token is good, and the database says that its session lives and what its
 * user may do. @throws InvalidAccessToken, and Invalid for what is no text
 */
export const authenticate = async (
  deps: Pick<IdentityDeps, 'users' | 'clock' | 'tokenKeys' | 'knownTokens' | 'options'>,
  input: { readonly token: string },
): Promise<Caller> => {
  // Each request asks this, so no schema does.
  if (typeof input?.token !== 'string') throw new Invalid({ token: 'must be a token' })
  const claims = verifyToken(deps, input.token, ['access', 'biometric_access'])
  if (claims === undefined) throw new InvalidAccessToken()
  return callerOf(claims, await deps.users.standing(claims.session_id))
}
