import type { MigratedStorage, ProjectQuery } from '@countersign/core/storage'
import { aCustomer, aNewUser, anExpense, aProject, clockStart as now } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { newSqlite, newTarget } from './open-databases.ts'

const list = async ({ projects }: MigratedStorage, given: Partial<ProjectQuery>) => {
  const { projects: found, total } = await projects.projects.list({
    filters: {},
    needle: undefined,
    sort: 'created_at',
    direction: 'desc',
    offset: 0,
    limit: 10,
    ...given,
  })
  return { codes: found.map(({ uniqueCode }) => uniqueCode).toSorted(), total }
}

const createUser = async ({ users }: MigratedStorage): Promise<number> =>
  (await users.create([aNewUser({ permissions: [] })]))[0]?.id ?? 0

/** Creates a project under the next number of a year, and returns its code. */
const createNumbered = ({ projects }: MigratedStorage, owners: { customerId: string; creatorId: number }) => {
  const { uniqueCode: _, ...project } = aProject(owners)
  return projects.projects.create(project, 2026, (number) => `PRJ-${number}`)
}

/** Fills a database with a removed project, a renamed one, expenses and used project numbers. */
const workOn = async (storage: MigratedStorage) => {
  const creatorId = await createUser(storage)
  const customer = aCustomer()
  await storage.projects.customers.add(customer)
  const given = { customerId: customer.id, creatorId }
  const bridge = aProject({ ...given, name: 'A bridge over the Vltava' })
  const tower = aProject({ ...given, name: 'A water tower' })
  const gone = aProject({ ...given, name: 'A bridge that nobody wanted' })
  for (const project of [bridge, tower, gone]) await storage.projects.projects.create(project, 1, () => project.uniqueCode)
  await storage.projects.projects.change(tower.uniqueCode, { name: 'A bridge after all', status: 'approved' }, now)
  await storage.projects.projects.remove(gone.uniqueCode, creatorId, now)
  await storage.projects.expenses.stage('import', [anExpense({ projectId: bridge.id, amount: 90_071_992_547_409_93n })], now)
  await storage.projects.expenses.commitImport('import')
  await createNumbered(storage, given)
  return { creatorId, bridge, tower, gone, given }
}

const expectAlike = async (
  source: MigratedStorage,
  target: MigratedStorage,
  { bridge, tower, given }: Awaited<ReturnType<typeof workOn>>,
) => {
  const both = [bridge.uniqueCode, tower.uniqueCode].toSorted()
  expect(await list(target, { needle: 'bridge' })).toStrictEqual({ codes: both, total: 2 })
  expect(await list(target, { needle: 'water' })).toStrictEqual({ codes: [], total: 0 })
  expect(await list(target, { filters: { status: 'approved' } })).toStrictEqual({ codes: [tower.uniqueCode], total: 1 })
  expect(await target.projects.expenses.sums(bridge.uniqueCode)).toStrictEqual(
    await source.projects.expenses.sums(bridge.uniqueCode),
  )
  expect(await target.projects.projects.byCode(tower.uniqueCode)).toStrictEqual(
    await source.projects.projects.byCode(tower.uniqueCode),
  )

  const added = aProject({ ...given, name: 'One more bridge' })
  expect(await target.projects.projects.create(added, 1, () => added.uniqueCode)).toBe(added.uniqueCode)
  expect((await list(target, { needle: 'bridge' })).total).toBe(3)
  expect((await list(target, { filters: { customerId: given.customerId } })).total).toBe(4)
  await target.projects.projects.change(bridge.uniqueCode, { name: 'A tunnel' }, now)
  expect((await list(target, { needle: 'vltava' })).total).toBe(0)
  expect(await createNumbered(target, given)).toBe('PRJ-2')
}

describe('data derived from the moved rows', () => {
  it('is correct on PostgreSQL, and id sequences continue', async () => {
    const { storage: source, file } = await newSqlite()
    const work = await workOn(source)
    // A used id must never be issued again, even when its row is gone.
    const last = await createUser(source)
    file.prepare('delete from countersign_users where id = ?').run(last)

    const { target } = await newTarget()
    await target.takeOver(source)
    await expectAlike(source, target, work)
    expect(await createUser(target)).toBe(last + 1)
  })

  it('is correct on SQLite, and id sequences continue', async () => {
    const { target: source } = await newTarget()
    await source.migrate()
    const work = await workOn(source)
    const last = await createUser(source)

    const { storage: target } = await newSqlite(false)
    await target.takeOver(source)
    await expectAlike(source, target, work)
    expect(await createUser(target)).toBe(last + 1)
  })

  it('starts its id sequence at 1 when the source has none yet', async () => {
    const { storage: source } = await newSqlite()
    const { target } = await newTarget()
    await target.takeOver(source)
    expect(await createUser(target)).toBe(1)
    const { storage: back } = await newSqlite(false)
    await back.takeOver(target)
    expect(await createUser(back)).toBe(2)
  })
})
