import type { FullStorage, NewProject } from '@countersign/core/storage'
import { aCustomer, aNewUser, aProject } from '@countersign/core/testing'

/** The customer and the creator of projects. */
export type Owners = Pick<NewProject, 'customerId' | 'creatorId'>

export const givenOwners = async (storage: FullStorage): Promise<Owners> => {
  const [user] = await storage.users.create([aNewUser()])
  if (user === undefined) throw new Error('the email is taken')
  const customer = aCustomer()
  await storage.projects.customers.add(customer)
  return { customerId: customer.id, creatorId: user.id }
}

/** Creates a project under the next number of 2026. Returns its code; `undefined` if the number was given twice. */
export const createNumbered = async (storage: FullStorage, owners: Owners): Promise<string | undefined> => {
  const { uniqueCode: _, ...project } = aProject(owners)
  return (await storage.projects.projects.create(project, 2026, (number) => `PRJ-2026-${number}`)) || undefined
}

/** Returns the exact number of projects, as lists show it. */
export const totalOf = async ({ projects }: FullStorage): Promise<number> => {
  const query = { filters: {}, needle: undefined, sort: 'created_at', direction: 'asc', offset: 0, limit: 1 } as const
  return (await projects.projects.list(query)).total
}
