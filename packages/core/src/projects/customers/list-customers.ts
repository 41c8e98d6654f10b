import type { Deps } from '../../deps.ts'
import type { Customer } from './customer.ts'

const PAGE = 500

/** All customers in the order of their creation, read page by page as they are asked for. */
export async function* listCustomers({ storage }: Pick<Deps, 'storage'>): AsyncGenerator<Customer> {
  let afterId = ''
  for (;;) {
    const customers = await storage.customers.list({ afterId, limit: PAGE })
    yield* customers
    const last = customers.at(-1)
    if (last === undefined || customers.length < PAGE) return
    afterId = last.id
  }
}
