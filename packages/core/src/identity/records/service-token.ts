import type { Instant } from '../../shared/clock.ts'

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

/** The service tokens. A store keeps their ids and never the tokens themselves. */
export interface ServiceTokenStore {
  add(token: ServiceToken): Promise<void>
  /** All service tokens, newest first, revoked and expired tokens included. */
  list(): Promise<readonly ServiceToken[]>
  /** Returns the token unless it is unknown or revoked. The answer is as current as the answer of `SessionStore.status`. */
  status(id: string): Promise<ServiceToken | undefined>
  /** Revokes a token and returns it. Returns `undefined`, and changes nothing, if the token is unknown or revoked. */
  revoke(id: string, now: Instant): Promise<ServiceToken | undefined>
}
