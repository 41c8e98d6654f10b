import { errorOf } from '../../shared/errors.ts'
import type { Bound } from '../records/bound.ts'

/** The credentials of a calling service. */
export interface ServiceCredentials {
  /** A service token. Tokens of users are refused. */
  readonly token: string
  /** The name of the calling service. It must be the name for which the token was issued; upper and lower case are the same. */
  readonly serviceName: string
}

/** The calling service of a request, identified by a service token that the storage has confirmed. */
export interface CallingService {
  /** The name of the service in lower case, because names are compared without case. */
  readonly name: string
  readonly scopes: readonly string[]
  /** The tenants of the host in which the service may act; absent or empty if it may act in every tenant and without one. */
  readonly within?: readonly string[]
}

/** Returns the tenants to which a service is bound; `null` if it may act in every tenant and without one. */
export const boundOfService = ({ within = [] }: Pick<CallingService, 'within'>): Bound =>
  within.length === 0 ? null : [...new Set(within)].sort()

/** The service token lacks the scope that the operation needs. */
export class MissingScope extends errorOf('missing_scope') {}

/** Returns whether the service has exactly this scope. A scope with an asterisk never counts, on either side. */
export const hasScope = ({ scopes }: Pick<CallingService, 'scopes'>, needed: string): boolean =>
  !needed.includes('*') && scopes.includes(needed)

/** Checks that the service has a scope for some type, such as `approval.read:payment_approval`. @throws MissingScope */
export const requireAnyScope = (service: Pick<CallingService, 'scopes'>, right: `${string}:`): void => {
  if (!service.scopes.some((scope) => scope.startsWith(right) && hasScope(service, scope))) throw new MissingScope()
}

/** Checks that the service has exactly this scope. `confirmation.*` and `*.*` grant nothing. @throws MissingScope */
export const requireScope = (service: Pick<CallingService, 'scopes'>, needed: string): void => {
  if (!hasScope(service, needed)) throw new MissingScope()
}
