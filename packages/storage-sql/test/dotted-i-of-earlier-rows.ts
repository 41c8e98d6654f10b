import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { expect } from 'vitest'
import type { Tables } from '../src/tables/index.ts'

const AT = 1_760_000_000_000

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
  created_at: AT,
  updated_at: AT,
}

const project = {
  name: 'a name',
  status: 'pending',
  progress: 'bidding',
  contract_value: 1,
  currency: 'EUR',
  description: '',
  customer_id: 'customer-1',
  reply_date: AT,
  document_file_ids: '[]',
  created_at: AT,
  updated_at: AT,
} as const

/** The searched texts of three projects as an earlier version has stored them, and as they are found now. */
const texts = [
  ['i\u0307stanbul\u0001', 'istanbul\u0001'],
  ['diyarbakir\u0001i\u0307zmir', 'diyarbakir\u0001izmir'],
  ['ankara\u0001', 'ankara\u0001'],
] as const

/**
 * Expects that the migration folds `İ` in the texts of earlier projects.
 *
 * @param index Puts the projects into the search index of the database, as an earlier version has done.
 */
export const expectDottedIFolded = async (
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
  index: (seqs: readonly number[]) => void = () => {},
): Promise<void> => {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } })
  expect((await migrator.migrateToLatest()).error).toBeUndefined()
  const { id: creator_id } = await db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
  await db.insertInto('customers').values({ id: 'customer-1', name: 'A', email: 'a@example.test', created_at: AT }).execute()
  const seqs: number[] = []
  for (const [searched_text] of texts) {
    const codes = { id: searched_text, unique_code: searched_text }
    const row = db.insertInto('projects').values({ ...project, ...codes, creator_id, searched_text })
    seqs.push(Number((await row.returning('seq').executeTakeFirstOrThrow()).seq))
  }
  index(seqs)
  await migrations['0036-projects-dotted-i']?.up(db)
  const rows = await db.selectFrom('projects').select('searched_text').orderBy('seq').execute()
  expect(rows.map((row) => row.searched_text)).toStrictEqual(texts.map(([, folded]) => folded))
}
