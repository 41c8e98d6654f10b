import type { Output } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { IdentityDeps } from '../deps.ts'
import type { ServiceToken } from '../records/service-token.ts'
import type { SessionStatus } from '../records/session.ts'
import type { ClaimsOf } from '../tokens/claims.ts'
import { verifyToken } from '../tokens/verify-token.ts'
import { callerOf } from './authenticate.ts'
import { confirmedServiceToken } from './authenticate-service.ts'
import { InvalidAccessToken } from './errors.ts'

/** The claims of a valid token, as a calling service receives them. */
export type Introspection = Output<'internal.verify'>['claims']

type IntrospectDeps = Pick<IdentityDeps, 'storage' | 'users' | 'clock' | 'tokenKeys' | 'knownTokens' | 'options'>

/** A service's question whether a token is valid. */
export interface TokenQuestion {
  /** A user's access token, or the service token of the calling service. */
  readonly token: string
  /** The calling service: 1 to 64 of `A-Z`, `a-z`, `0-9`, dot, underscore, slash, hyphen, and spaces in between. */
  readonly serviceName: string
}

/**
 * Tells a calling service whether a token is valid now. The token is a user's access token, or the service token of the
 * calling service itself.
 *
 * @throws InvalidAccessToken for every token that is not valid, without a reason
 *
 * @example
 * ```ts
 * const { permissions } = await countersign.auth.introspect({ token, serviceName: 'billing' })
 * ```
 */
export async function introspect(deps: IntrospectDeps, { token, serviceName }: TokenQuestion): Promise<Introspection> {
  const { storage, users } = deps
  const claims = verifyToken(deps, token, ['access', 'biometric_access', 'service'])
  if (claims === undefined) throw new InvalidAccessToken()
  if (claims.token_use === 'service') {
    return ofService(claims, await storage.serviceTokens.status(claims.session_id), serviceName)
  }
  return ofUser(claims, await users.sessionStatus(claims.session_id), deps.clock.now())
}

const ofService = (claims: ClaimsOf<'service'>, status: ServiceToken | undefined, serviceName: string): Introspection => {
  const { service, scopes } = confirmedServiceToken(claims, status, serviceName)
  return {
    id: null,
    email: null,
    permissions: [...scopes],
    token_use: 'service',
    device_id: null,
    trust_level: null,
    service_name: service,
  }
}

const ofUser = (
  claims: ClaimsOf<'access' | 'biometric_access'>,
  status: SessionStatus | undefined,
  now: Instant,
): Introspection => {
  const caller = callerOf(claims, status, now)
  return {
    id: caller.userId,
    email: caller.email,
    permissions: [...caller.permissions],
    token_use: caller.tokenUse,
    device_id: caller.deviceId,
    trust_level: caller.trustLevel,
  }
}
