import { type ProductSchemaWithText, productSchemaKey } from '../../projects/product-schemas/product-schema.ts'
import type { Customer } from '../../projects/records/customer.ts'
import type { Expense } from '../../projects/records/expense.ts'
import { type NewProject, newProjectState, type Product } from '../../projects/records/project.ts'
import type { Resource } from '../../projects/records/resource.ts'
import { orderedUuid, systemRandom } from '../../shared/random.ts'
import { clockStart } from '../fake-clock.ts'
import { uuid } from './shared.ts'

export const aCustomer = (overrides: Partial<Customer> = {}): Customer => {
  const createdAt = overrides.createdAt ?? clockStart
  const id = orderedUuid(systemRandom, createdAt)
  return { id, name: 'Analytical Engines Ltd', email: `${id}@example.test`, createdAt, ...overrides }
}

/** Returns a product of the built-in type `software`. */
export const aProduct = (overrides: Partial<Product> = {}): Product => ({
  id: uuid(),
  name: 'Difference Engine',
  productType: 'software',
  description: 'Tables of logarithms',
  attributes: { name: 'difference-engine', version: '1.2.3', licenseType: 'perpetual' },
  schemaVersion: '1.0.0',
  ...overrides,
})

/** Returns the input of the store's `projects.create`, without products, participants and documents. */
export const aProject = (overrides: Partial<NewProject> & Pick<NewProject, 'customerId' | 'creatorId'>): NewProject => {
  const createdAt = overrides.createdAt ?? clockStart
  const id = orderedUuid(systemRandom, createdAt)
  return {
    ...newProjectState,
    id,
    uniqueCode: `PRJ-2026-${id}`,
    name: 'A new mill',
    contractValue: 1234.5,
    currency: 'EUR',
    description: '',
    replyDate: null,
    createdAt,
    updatedAt: createdAt,
    products: [],
    participantIds: [],
    documentFileIds: [],
    ...overrides,
  }
}

/** Returns an open task. */
export const aResource = (overrides: Partial<Resource> & Pick<Resource, 'projectId'>): Resource => ({
  id: uuid(),
  type: 'Task',
  externalId: `task-${uuid()}`,
  name: 'Oil the gears',
  status: 'open',
  ...overrides,
})

/** Returns an expense of 12.50 for materials. */
export const anExpense = (overrides: Partial<Expense> & Pick<Expense, 'projectId'>): Expense => ({
  id: uuid(),
  externalId: `expense-${uuid()}`,
  category: 'materials',
  amount: 125_000n,
  incurredAt: clockStart,
  ...overrides,
})

/** Returns an active version of a new type that requires a name. */
export const aProductSchema = (overrides: Partial<ProductSchemaWithText> = {}): ProductSchemaWithText => {
  const { type = `type-${uuid()}`, version = '1.0.0' } = overrides
  return {
    key: productSchemaKey(type, version),
    type,
    version,
    title: 'A type',
    active: true,
    requiredFields: ['name'],
    registeredAt: clockStart,
    schemaText: '{"type":"object","required":["name"]}',
    ...overrides,
  }
}
