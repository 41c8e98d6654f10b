import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { expect } from 'vitest'
import type { Tables } from '../src/tables/index.ts'

const PREVIOUS = '0003-projects'
const at = 1_760_000_000_000

const user = {
  email: 'ada@example.test',
  name: 'Ada',
  employee_id: '',
  employee_name: '',
  employee_avatar_file_id: '',
  department_id: '',
  department_name: '',
  permissions: '[]',
  version: 1,
  created_at: at,
  updated_at: at,
}

const project = {
  status: 'pending',
  progress: 'bidding',
  contract_value: 1,
  currency: 'EUR',
  description: '',
  customer_id: 'customer-1',
  searched_text: '',
  reply_date: at,
  document_file_ids: '[]',
  created_at: at,
  updated_at: at,
} as const

const ofProject = (project_id: string) => {
  const key = { project_id, external_id: '1' }
  return {
    resource: { id: `resource of ${project_id}`, ...key, type: 'Task', name: 'Dig', status: 'open' },
    expense: { id: `expense of ${project_id}`, ...key, category: 'labor', amount: 5n, incurred_at: at },
  } as const
}

/** Expects that the migrations keep imported rows, and let each project number its own. */
export const expectImportKeysOfProjects = async (
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> => {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } })
  const insert = async (project_id: string) => {
    const { resource, expense } = ofProject(project_id)
    await db.insertInto('resources').values(resource).execute()
    await db.insertInto('expenses').values(expense).execute()
  }
  expect((await migrator.migrateTo(PREVIOUS)).error).toBeUndefined()
  const { id: creator_id } = await db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
  await db.insertInto('customers').values({ id: 'customer-1', name: 'A', email: 'a@example.test', created_at: at }).execute()
  for (const id of ['one', 'other']) {
    await db
      .insertInto('projects')
      .values({ ...project, id, name: id, unique_code: id, creator_id })
      .execute()
  }
  await insert('one')
  await expect(insert('other')).rejects.toThrow()

  expect((await migrator.migrateToLatest()).error).toBeUndefined()
  await insert('other')
  await expect(
    db
      .insertInto('resources')
      .values({ ...ofProject('one').resource, id: 'again' })
      .execute(),
  ).rejects.toThrow()
  await expect(
    db
      .insertInto('expenses')
      .values({ ...ofProject('one').expense, id: 'again' })
      .execute(),
  ).rejects.toThrow()
  const both = [ofProject('one'), ofProject('other')]
  expect(await db.selectFrom('resources').selectAll().orderBy('id').execute()).toStrictEqual(both.map(({ resource }) => resource))
  const expenses = await db.selectFrom('expenses').selectAll().orderBy('id').execute()
  expect(expenses.map((row) => ({ ...row, amount: BigInt(row.amount), incurred_at: Number(row.incurred_at) }))).toStrictEqual(
    both.map(({ expense }) => expense),
  )

  const indexes = ['resources_of_project', 'staged_resources_at', 'expenses_of_project', 'staged_expenses_at']
  for (const index of indexes) await expect(db.schema.dropIndex(index).execute()).resolves.toBeUndefined()
}
