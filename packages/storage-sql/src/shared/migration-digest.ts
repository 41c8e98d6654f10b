import { hash } from 'node:crypto'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Returns the SHA-256 of a migration's statements, in base64url, without their place. No database is asked: the statements are the
 * same on every database of one kind.
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
