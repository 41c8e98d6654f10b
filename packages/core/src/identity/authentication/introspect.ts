import type { Checked, Output } from '@countersign/contract'
import type { IdentityDeps } from '../deps.ts'
import type { ServiceToken } from '../records/service-token.ts'
import { verifyToken } from '../tokens/verify-token.ts'
import { listedTenants, permissionsIn } from '../user-model/permissions.ts'
import { callerOf } from './authenticate.ts'
import { confirmedServiceToken } from './authenticate-service.ts'
import { InvalidAccessToken } from './errors.ts'
import { logServiceRefusal } from './log-service-refusal.ts'

/** The claims of a valid token, as a calling service receives them. */
export type Introspection = Output<'internal.verify'>['claims']

/** A service's question whether a token is valid. With a tenant, the permissions in it are asked for. */
export interface TokenQuestion extends Checked<'internal.verify'> {
  /** A user's access token, or the service token of the calling service. */
  readonly token: string
}

/** The kinds of tokens that a service may ask about. */
const USES = ['access', 'biometric_access', 'service'] as const

/**
 * Returns the claims of a valid token to a service: of a user's access token, or of its own service token.
 * @throws InvalidAccessToken for every token that is not valid, without a reason
 * @example const { permissions } = await countersign.auth.introspect({ token, serviceName: 'billing' })
 */
export async function introspect(deps: IdentityDeps, question: TokenQuestion): Promise<Introspection> {
  const { token, serviceName, tenant = null } = question
  try {
    const claims = verifyToken(deps, token, USES)
    if (claims === undefined) throw new InvalidAccessToken()
    if (claims.token_use === 'service') {
      const status = await deps.storage.serviceTokens.status(claims.session_id)
      return ofService(confirmedServiceToken(claims, status, serviceName), tenant)
    }
    const status = await deps.users.sessionStatus(claims.session_id)
    const caller = callerOf(claims, status, deps.clock.now(), tenant)
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
  } catch (error) {
    logServiceRefusal(deps, question, USES, error)
    throw error
  }
}

/** Returns the claims of a service token. A token that is bound to tenants has its scopes in these tenants only. */
const ofService = ({ service, scopes, within }: ServiceToken, tenant: string | null): Introspection => {
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
