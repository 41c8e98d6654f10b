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

/** The store of customers. Customers never change. */
export interface CustomerStore {
  add(customer: Customer): Promise<void>
  byId(id: string): Promise<Customer | undefined>
  /** Returns a page of customers, sorted by id, from the first id after `afterId`. An empty `afterId` returns the first page. */
  list(page: { afterId: string; limit: number }): Promise<readonly Customer[]>
}
