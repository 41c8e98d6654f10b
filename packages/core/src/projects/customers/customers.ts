import { characterCount } from '@countersign/contract'
import { checkedEmail } from '../../identity/user-model/user-input.ts'
import { checkedLabel } from '../../shared/check-label.ts'
import { Invalid } from '../../shared/errors.ts'
import { orderedUuid } from '../../shared/random.ts'
import type { ProjectImport, ProjectStorage } from '../deps.ts'
import type { Customer } from '../records/customer.ts'

/**
 * Adds a customer. @throws Invalid
 * @example const { id } = await countersign.customers.create({ name: 'ACME', email: 'office@acme.example' })
 */
export async function createCustomer(deps: ProjectImport, input: Pick<Customer, 'name' | 'email'>): Promise<Customer> {
  const { storage, clock, random } = deps
  if (characterCount(input.name) === 0) throw new Invalid({ name: 'must be text of 1 to 255 characters' })
  const now = clock.now()
  const customer = {
    id: orderedUuid(random, now),
    name: checkedLabel('name', input.name),
    email: checkedEmail(input.email),
    createdAt: now,
  }
  await storage.projects.customers.add(customer)
  return customer
}

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
