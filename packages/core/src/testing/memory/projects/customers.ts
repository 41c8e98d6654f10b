import type { CustomerStore } from '../../../projects/customers/store.ts'
import { byCodePoints, insert, type Run } from '../tables.ts'

export const memoryCustomers = (run: Run): CustomerStore => ({
  add: (customer) => run(({ customers }) => insert(customers, customer.id, customer)),
  byId: (id) => run(({ customers }) => customers.get(id)),
  list: ({ afterId, limit }) =>
    run(({ customers }) =>
      [...customers.values()]
        .filter(({ id }) => byCodePoints(id, afterId) > 0)
        .sort((a, b) => byCodePoints(a.id, b.id))
        .slice(0, limit),
    ),
})
