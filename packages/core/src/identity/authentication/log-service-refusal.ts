import type { TokenUse } from '@countersign/contract'
import type { BaseDeps } from '../base-deps.ts'
import { isSameService } from '../records/service-token.ts'
import { logRefusal, type RefusalReason } from '../refusals.ts'
import type { AnyClaims } from '../tokens/claims.ts'
import type { TokenKeys } from '../tokens/token-keys.ts'
import { signedClaims, verifyTokenUncached } from '../tokens/verify-token.ts'
import { InvalidAccessToken } from './errors.ts'

type LogDeps = Pick<BaseDeps, 'clock' | 'logger' | 'options'> & { readonly tokenKeys: TokenKeys }

interface PresentedToken {
  readonly token: string
  /** The name that the service gave. */
  readonly serviceName: string
}

/** Logs why the token that a service presented is refused. Does nothing for any other error. */
export const logServiceRefusal = (
  deps: LogDeps,
  { token, serviceName }: PresentedToken,
  uses: readonly TokenUse[],
  error: unknown,
): void => {
  if (!(error instanceof InvalidAccessToken)) return
  const claims = signedClaims(deps, token)
  const reason = claims === undefined ? 'signature' : reasonOf(deps, { token, serviceName }, uses, claims)
  logRefusal(deps.logger, 'service_refused', reason, { serviceName, ...(claims && named(claims)) })
}

/** Returns why a token that we signed is refused. */
const reasonOf = (
  deps: LogDeps,
  { token, serviceName }: PresentedToken,
  uses: readonly TokenUse[],
  claims: AnyClaims,
): RefusalReason<'service_refused'> => {
  if (!uses.includes(claims.token_use)) return 'wrong_use'
  if (claims.iss !== deps.options.issuer) return 'issuer'
  if (verifyTokenUncached(deps, token, uses) === undefined) return 'expired'
  if (claims.token_use !== 'service') return 'session_ended'
  return isSameService(claims.service_name, serviceName) ? 'revoked' : 'service_name'
}

/** Returns whom a token names: a user with a session, or a service with the id of its token. */
const named = (claims: AnyClaims): Readonly<Record<string, string | number>> =>
  claims.token_use === 'service'
    ? { service: claims.service_name, serviceTokenId: claims.session_id }
    : { userId: claims.id, sessionId: claims.session_id }
