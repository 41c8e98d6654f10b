import type { Instant } from '../../shared/clock.ts'

/** A token of a calling service. Only its identity is kept; the token itself is shown once, when it is issued. */
export interface ServiceToken {
  readonly id: string
  /** The name as it was given. */
  readonly service: string
  readonly scopes: readonly string[]
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly revokedAt: Instant | null
}

/** Whether two names mean one service: `Billing` is `billing`. Names are ASCII, so lower case is one for every language. */
export const isSameService = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
