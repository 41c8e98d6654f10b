import type { Instant } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import type { SessionStatus } from '../records/session.ts'
import { isTrusted, trustLevelOf } from '../records/trust.ts'
import type { ClaimsOf } from '../tokens/claims.ts'
import { verifyToken } from '../tokens/verify-token.ts'
import { permissionsIn } from '../user-model/permissions.ts'
import type { Caller } from './caller.ts'
import { InvalidAccessToken } from './errors.ts'

/**
 * Returns the caller who presents an access token. Checks the token, and asks the storage whether its session is live and which
 * permissions the user has now. With a tenant, these are the permissions in that tenant. A session that is bound to tenants has
 * only the permissions that its user has in exactly these tenants.
 * @throws InvalidAccessToken
 * @throws Invalid if the token is not a string
 * @example const { userId, permissions } = await countersign.auth.authenticate({ token })
 */
export async function authenticate(
  deps: Pick<IdentityDeps, 'users' | 'clock' | 'tokenKeys' | 'knownTokens' | 'options'>,
  input: { readonly token: string; readonly tenant?: string | undefined },
): Promise<Caller> {
  // Checked by hand rather than by a schema, because every request runs this line.
  if (typeof input?.token !== 'string') throw new Invalid({ token: 'must be a token' })
  const claims = verifyToken(deps, input.token, ['access', 'biometric_access'])
  if (claims === undefined) throw new InvalidAccessToken()
  return callerOf(claims, await deps.users.sessionStatus(claims.session_id), deps.clock.now(), input.tenant)
}

/**
 * Returns the caller who presents these claims. The trust level is the current level of the session's device, not the level in
 * the token. @throws InvalidAccessToken if the session is not live
 */
export const callerOf = (
  claims: ClaimsOf<'access' | 'biometric_access'>,
  status: SessionStatus | undefined,
  now: Instant,
  tenant: string | null = null,
): Caller => {
  if (status === undefined || status.userId !== claims.id) throw new InvalidAccessToken()
  return {
    userId: status.userId,
    directoryId: status.directoryId,
    email: status.email,
    // A copy: the storage may cache the status, and a host may change the array that it receives.
    permissions: permissionsIn(status.permissions, tenant),
    sessionId: claims.session_id,
    tokenUse: claims.token_use,
    deviceId: claims.token_use === 'biometric_access' ? claims.device_id : null,
    passkeyId: status.userVerified && isTrusted(status, now) ? status.passkeyId : null,
    trustLevel: trustLevelOf(status, now),
    tenants: status.tenants,
  }
}
