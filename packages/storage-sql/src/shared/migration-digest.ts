import { hash } from 'node:crypto'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Returns the SHA-256 of the statements that a migration runs, in base64url. No database is asked: a migration of this program runs
 * the same statements on every database of one kind. The place of the tables does not count.
 */
export const migrationDigest = async ({ up }: Migration): Promise<string> => {
  const statements: (readonly unknown[])[] = []
  const recorder = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query: { sql, parameters } }) => void statements.push([sql, ...parameters]),
  })
  await up(recorder)
  return hash('sha256', JSON.stringify(statements), 'base64url')
}
