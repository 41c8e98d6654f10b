import type { Instant } from '../../shared/clock.ts'
import type { Bound } from './bound.ts'

/** A service token. Only its id is stored; the token itself is shown once, when it is issued. */
export interface ServiceToken {
  readonly id: string
  /** The name of the service, as given. */
  readonly service: string
  readonly scopes: readonly string[]
  /** The tenants of the host to which the token is bound; empty for a token that is not bound. */
  readonly within: readonly string[]
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly revokedAt: Instant | null
}

/** Returns whether two names mean the same service. Names are ASCII and compared without case: `Billing` is `billing`. */
export const isSameService = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Returns whether a token may act in all of these tenants; `null`: without a bound. */
export const covers = ({ within }: Pick<ServiceToken, 'within'>, tenants: Bound): boolean =>
  within.length === 0 || (tenants?.every((tenant) => within.includes(tenant)) ?? false)

/** The service tokens. A store keeps their ids and never the tokens themselves. */
export interface ServiceTokenStore {
  add(token: ServiceToken): Promise<void>
  /** All service tokens, newest first, revoked and expired tokens included. */
  list(): Promise<readonly ServiceToken[]>
  /** Returns the token unless it is unknown or revoked. The answer is as current as the answer of `SessionStore.status`. */
  status(id: string): Promise<ServiceToken | undefined>
  /** Returns the valid tokens of a service, named in lower case. In a transaction, none of them can be revoked before its end. */
  holdValid(service: string, now: Instant): Promise<readonly ServiceToken[]>
  /** Revokes a token and returns it. Returns `undefined`, and changes nothing, if the token is unknown or revoked. */
  revoke(id: string, now: Instant): Promise<ServiceToken | undefined>
}
