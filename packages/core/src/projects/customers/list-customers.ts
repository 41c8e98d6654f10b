import type { ProjectStorage } from '../deps.ts'
import type { Customer } from '../records/customer.ts'

const PAGE = 500

/**
 * Returns all customers, oldest first. Reads them page by page.
 * @example for await (const { name } of countersign.customers.list()) console.log(name)
 */
export async function* listCustomers({ storage }: ProjectStorage): AsyncGenerator<Customer> {
  let afterId = ''
  for (;;) {
    const customers = await storage.projects.customers.list({ afterId, limit: PAGE })
    yield* customers
    const last = customers.at(-1)
    if (last === undefined || customers.length < PAGE) return
    afterId = last.id
  }
}
