import type { Output } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { IdentityDeps } from '../deps.ts'
import type { ServiceToken } from '../records/service-token.ts'
import type { SessionStatus } from '../records/session.ts'
import type { ClaimsOf } from '../tokens/claims.ts'
import { verifyToken } from '../tokens/verify-token.ts'
import { listedTenants, permissionsIn } from '../user-model/permissions.ts'
import { callerOf } from './authenticate.ts'
import { confirmedServiceToken } from './authenticate-service.ts'
import { InvalidAccessToken } from './errors.ts'
import { logServiceRefusal } from './log-service-refusal.ts'

/** The claims of a valid token, as a calling service receives them. */
export type Introspection = Output<'internal.verify'>['claims']

/** A service's question whether a token is valid. */
export interface TokenQuestion {
  /** A user's access token, or the service token of the calling service. */
  readonly token: string
  /** The calling service: 1 to 64 of `A-Z`, `a-z`, `0-9`, dot, underscore, slash, hyphen, and spaces in between. */
  readonly serviceName: string
  /** The tenant in which the permissions are asked for; without it, the answer has the permissions that apply everywhere. */
  readonly tenant?: string | undefined
}

/** The kinds of tokens that a service may ask about. */
const USES = ['access', 'biometric_access', 'service'] as const

/**
 * Returns the claims of a valid token to a service: of a user's access token, or of its own service token.
 * @throws InvalidAccessToken for every token that is not valid, without a reason
 * @example const { permissions } = await countersign.auth.introspect({ token, serviceName: 'billing' })
 */
export async function introspect(deps: IdentityDeps, question: TokenQuestion): Promise<Introspection> {
  const { storage, users } = deps
  const { token, serviceName, tenant } = question
  try {
    const claims = verifyToken(deps, token, USES)
    if (claims === undefined) throw new InvalidAccessToken()
    if (claims.token_use === 'service') {
      return ofService(claims, await storage.serviceTokens.status(claims.session_id), serviceName, tenant)
    }
    return ofUser(claims, await users.sessionStatus(claims.session_id), deps.clock.now(), tenant)
  } catch (error) {
    logServiceRefusal(deps, question, USES, error)
    throw error
  }
}

/** Returns the claims of a service token. A token that is bound to tenants has its scopes in these tenants only. */
const ofService = (
  claims: ClaimsOf<'service'>,
  status: ServiceToken | undefined,
  serviceName: string,
  tenant: string | null = null,
): Introspection => {
  const { service, scopes, within } = confirmedServiceToken(claims, status, serviceName)
  const held = within.length === 0 ? scopes : within.flatMap((one) => scopes.map((right) => `${right}@${one}`))
  return {
    id: null,
    email: null,
    permissions: permissionsIn(held, tenant),
    token_use: 'service',
    device_id: null,
    trust_level: null,
    service_name: service,
    directoryId: null,
    ...listedTenants(held, tenant),
  }
}

const ofUser = (
  claims: ClaimsOf<'access' | 'biometric_access'>,
  status: SessionStatus | undefined,
  now: Instant,
  tenant: string | null = null,
): Introspection => {
  const caller = callerOf(claims, status, now, tenant)
  return {
    id: caller.userId,
    email: caller.email,
    permissions: [...caller.permissions],
    token_use: caller.tokenUse,
    device_id: caller.deviceId,
    trust_level: caller.trustLevel,
    directoryId: caller.directoryId,
    ...listedTenants(status?.permissions ?? [], tenant),
  }
}
