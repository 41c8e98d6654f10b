import type { Instant } from '../../shared/clock.ts'

/** A customer of projects. */
export interface Customer {
  /** A UUID that sorts by time of creation. */
  readonly id: string
  readonly name: string
  /** Normalised (see `normaliseEmail`). Several customers may have the same email. */
  readonly email: string
  readonly createdAt: Instant
}
