import type { Instant } from '../../shared/clock.ts'

/** Whom a project is done for. */
export interface Customer {
  /** A UUID whose order is that of creation. */
  readonly id: string
  readonly name: string
  /** Normalised (see `normaliseEmail`); several customers may share one. */
  readonly email: string
  readonly createdAt: Instant
}
