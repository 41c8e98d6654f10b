import type { Instant } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import type { SessionStatus } from '../records/session.ts'
import { isTrusted, trustLevelOf } from '../records/trust.ts'
import type { ClaimsOf } from '../tokens/claims.ts'
import { readSignedToken, verifyToken } from '../tokens/verify-token.ts'
import { permissionsIn } from '../user-model/permissions.ts'
import type { Caller } from './caller.ts'
import { InvalidAccessToken } from './errors.ts'

/**
 * Returns the caller who presents an access token, with the permissions that the user has now: everywhere, or in the tenant. The
 * caller of a bound session has only the permissions in exactly these tenants.
 * @throws InvalidAccessToken, and Invalid if the token is not a string
 * @example const { userId, permissions } = await countersign.auth.authenticate({ token })
 */
export async function authenticate(
  deps: IdentityDeps,
  input: { readonly token: string; readonly tenant?: string | undefined },
): Promise<Caller> {
  // Checked by hand rather than by a schema, because every request runs this line.
  if (typeof input?.token !== 'string') throw new Invalid({ token: 'must be a token' })
  const claims = verifyToken(deps, input.token, ['access', 'biometric_access'])
  if (claims === undefined) throw new InvalidAccessToken()
  return callerOf(claims, await deps.users.sessionStatus(claims.session_id), deps.clock.now(), input.tenant)
}

/** Returns the caller of these claims, with the current trust level. @throws InvalidAccessToken if the session ended */
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

/**
 * Returns the id of the session that a token names, if this service signed the token for a user; otherwise `undefined`. Only the
 * signature is checked, without a query, so that a rate limit can count also an expired token. @throws Invalid if the token is not
 * a string
 * @example const sessionId = countersign.auth.sessionOfToken({ token })
 */
export function sessionOfToken(deps: IdentityDeps, input: { readonly token: string }): string | undefined {
  if (typeof input?.token !== 'string') throw new Invalid({ token: 'must be a token' })
  const claims = readSignedToken(deps, input.token)
  return claims === undefined || claims.token_use === 'service' ? undefined : claims.session_id
}
