import { serviceName as serviceNameSchema } from '@countersign/contract'
import { Invalid } from '../../shared/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { isSameService, type ServiceToken } from '../records/service-token.ts'
import type { ClaimsOf } from '../tokens/claims.ts'
import { verifyToken } from '../tokens/verify-token.ts'
import type { CallingService, ServiceCredentials } from './calling-service.ts'
import { InvalidAccessToken } from './errors.ts'
import { logServiceRefusal } from './log-service-refusal.ts'

/**
 * Returns the service that presents a service token which is valid now.
 * @throws InvalidAccessToken without a reason, also for another name; Invalid for a malformed name
 * @example const service = await countersign.auth.authenticateService({ token, serviceName: 'billing' })
 */
export async function authenticateService(deps: IdentityDeps, credentials: ServiceCredentials): Promise<CallingService> {
  requireText(credentials)
  try {
    const claims = verifyToken(deps, credentials.token, ['service'])
    if (claims === undefined) throw new InvalidAccessToken()
    const status = await deps.storage.serviceTokens.status(claims.session_id)
    const { service, scopes, within } = confirmedServiceToken(claims, status, credentials.serviceName)
    return { name: service.toLowerCase(), scopes: [...scopes], within: [...within] }
  } catch (error) {
    logServiceRefusal(deps, credentials, ['service'], error)
    throw error
  }
}

/** Returns the service token that these claims name. @throws InvalidAccessToken if it is revoked, or of another service */
export const confirmedServiceToken = (claims: ClaimsOf<'service'>, status: ServiceToken | undefined, serviceName: string) => {
  const isConfirmed = status?.service === claims.service_name && isSameService(status.service, serviceName)
  if (!isConfirmed) throw new InvalidAccessToken()
  return status
}

/** @throws Invalid naming each wrong member */
const requireText = (credentials: ServiceCredentials): void => {
  if (typeof credentials?.token !== 'string') throw new Invalid({ token: 'must be a token' })
  const name = serviceNameSchema.safeParse(credentials.serviceName)
  if (!name.success) throw new Invalid({ serviceName: name.error.issues[0]?.message ?? '' })
}
