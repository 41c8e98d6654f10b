import type { Customer } from './customer.ts'

/** The store of customers. Customers never change. */
export interface CustomerStore {
  add(customer: Customer): Promise<void>
  byId(id: string): Promise<Customer | undefined>
  /** Returns a page of customers, sorted by id, from the first id after `afterId`. An empty `afterId` returns the first page. */
  list(page: { afterId: string; limit: number }): Promise<readonly Customer[]>
}
