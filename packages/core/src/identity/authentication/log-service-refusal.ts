import type { TokenUse } from '@countersign/contract'
import type { IdentityDeps } from '../deps.ts'
import { isSameService } from '../records/service-token.ts'
import { logRefusal } from '../refusals.ts'
import type { AnyClaims } from '../tokens/claims.ts'
import { signedClaims, verifyTokenUncached } from '../tokens/verify-token.ts'
import type { ServiceCredentials } from './calling-service.ts'
import { InvalidAccessToken } from './errors.ts'

/** Logs why the token that a service presented is refused. Does nothing for any other error. */
export const logServiceRefusal = (deps: IdentityDeps, given: ServiceCredentials, uses: readonly TokenUse[], error: unknown) => {
  if (!(error instanceof InvalidAccessToken)) return
  const claims = signedClaims(deps, given.token)
  const reason = claims === undefined ? 'signature' : reasonOf(deps, given, uses, claims)
  logRefusal(deps.logger, 'service_refused', reason, { serviceName: given.serviceName, ...(claims && named(claims)) })
}

/** Returns why a token that we signed is refused. */
const reasonOf = (deps: IdentityDeps, given: ServiceCredentials, uses: readonly TokenUse[], claims: AnyClaims) => {
  if (!uses.includes(claims.token_use)) return 'wrong_use'
  if (claims.iss !== deps.options.issuer) return 'issuer'
  if (verifyTokenUncached(deps, given.token, uses) === undefined) return 'expired'
  if (claims.token_use !== 'service') return 'session_ended'
  return isSameService(claims.service_name, given.serviceName) ? 'revoked' : 'service_name'
}

/** Returns whom a token names: a user with a session, or a service with the id of its token. */
const named = (claims: AnyClaims): Readonly<Record<string, string | number>> =>
  claims.token_use === 'service'
    ? { service: claims.service_name, serviceTokenId: claims.session_id }
    : { userId: claims.id, sessionId: claims.session_id }
