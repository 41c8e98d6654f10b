import type { Instant } from '../ports/clock.ts'

/** A token of a calling service. Only its identity is kept; the token itself is shown once, when it is issued. */
export interface ServiceToken {
  readonly id: string
  readonly service: string
  readonly scopes: readonly string[]
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly revokedAt: Instant | null
}
