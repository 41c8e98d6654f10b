import type { Customer } from './customer.ts'

/** Customers, who are added and never changed. */
export interface CustomerStore {
  add(customer: Customer): Promise<void>
  byId(id: string): Promise<Customer | undefined>
  /** By rising id (in the order of its characters), from after `afterId`; an empty `afterId` is before all. */
  list(page: { afterId: string; limit: number }): Promise<readonly Customer[]>
}
