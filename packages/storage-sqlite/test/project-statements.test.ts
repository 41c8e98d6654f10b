import type { FullStorage, NewProject } from '@countersign/core/storage'
import { aCustomer, aNewUser, aProduct, aProject } from '@countersign/core/testing'
import Sqlite from 'better-sqlite3'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openMigrated } from './open-migrated.ts'
import { temporaryPath } from './temporary-file.ts'

/** Counts the statements on every connection of this process during `work`. */
const statementsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const connection = new Sqlite(':memory:')
  onTestFinished(() => void connection.close())
  const prototype = Object.getPrototypeOf(connection.prepare('select 1')) as Sqlite.Statement
  const spies = [vi.spyOn(prototype, 'all'), vi.spyOn(prototype, 'run')]
  await work()
  const count = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
  for (const spy of spies) spy.mockRestore()
  return count
}

const given = async (storage: FullStorage) => {
  const [user] = await storage.users.create([aNewUser()])
  if (user === undefined) throw new Error('the email is taken')
  const customer = aCustomer()
  await storage.projects.customers.add(customer)
  const create = (products: number): NewProject =>
    aProject({ customerId: customer.id, creatorId: user.id, products: Array.from({ length: products }, () => aProduct()) })
  return { one: create(1), many: create(100) }
}

it('creating or reading a project takes the same number of statements for one product as for a hundred', async () => {
  const storage = await openMigrated(temporaryPath())
  const { one, many } = await given(storage)
  const createOf = (project: NewProject) =>
    statementsOf(() => storage.transaction((tx) => tx.projects.projects.create(project, 1, () => project.uniqueCode)))
  const showOf = ({ uniqueCode }: NewProject) => statementsOf(() => storage.projects.projects.byCode(uniqueCode))

  const created = await createOf(one)
  expect(created).toBeGreaterThan(0)
  expect(await createOf(many)).toBe(created)
  const shown = await showOf(one)
  expect(shown).toBeGreaterThan(0)
  expect(await showOf(many)).toBe(shown)
  expect((await storage.projects.projects.byCode(many.uniqueCode))?.products).toHaveLength(100)
})
