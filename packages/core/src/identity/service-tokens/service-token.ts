import type { Instant } from '../../shared/clock.ts'

/** A service token. Only its id is stored; the token itself is shown once, when it is issued. */
export interface ServiceToken {
  readonly id: string
  /** The name of the service, as given. */
  readonly service: string
  readonly scopes: readonly string[]
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly revokedAt: Instant | null
}

/** Returns whether two names mean the same service. Names are ASCII and compared without case: `Billing` is `billing`. */
export const isSameService = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
