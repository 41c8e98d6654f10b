import type { Deps } from '../deps.ts'
import { verifyToken } from '../tokens/verify-token.ts'
import type { Caller } from './caller.ts'
import { InvalidAccessToken } from './errors.ts'

/**
 * Who presents this access token, now: the token is good, and the database says that its session lives and what its
 * user may do. @throws InvalidAccessToken
 */
export const authenticate = async (
  deps: Pick<Deps, 'users' | 'clock' | 'tokenKeys' | 'options'>,
  input: { readonly token: string },
): Promise<Caller> => {
  const claims = await verifyToken(deps, input.token, ['access', 'biometric_access'])
  if (claims === undefined) throw new InvalidAccessToken()
  const standing = await deps.users.standing(claims.session_id)
  if (standing === undefined || standing.userId !== claims.id) throw new InvalidAccessToken()
  return {
    userId: standing.userId,
    email: standing.email,
    permissions: standing.permissions,
    sessionId: claims.session_id,
    tokenUse: claims.token_use,
    deviceId: claims.token_use === 'biometric_access' ? claims.device_id : null,
    trustLevel: claims.trust_level,
  }
}
