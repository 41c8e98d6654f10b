import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Tables } from './tables.ts'

export interface MigrationStatus {
  readonly applied: readonly string[]
  readonly pending: readonly string[]
  /** Applied by a newer program, which alone knows them. */
  readonly newer: readonly string[]
}

const migratorOf = (db: Kysely<Tables>, migrations: Readonly<Record<string, Migration>>): Migrator =>
  new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } })

/** Which of the migrations the database has, and which others. */
export const readMigrationStatus = async (
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<MigrationStatus> => {
  const known = await migratorOf(db, migrations).getMigrations()
  return {
    applied: known.filter(({ executedAt }) => executedAt !== undefined).map(({ name }) => name),
    pending: known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name),
    newer: (await readAppliedNames(db)).filter((name) => !Object.hasOwn(migrations, name)),
  }
}

/** Applies what is pending and returns the names. `db` must undo everything where this rejects. */
export const applyMigrations = async (
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<readonly string[]> => {
  const { error, results = [] } = await migratorOf(db, migrations).migrateToLatest()
  if (error !== undefined) throw error
  return results.map(({ migrationName }) => migrationName)
}

/** Names of all migrations that were applied, those that only a newer program knows among them. */
export const readAppliedNames = async (db: Kysely<Tables>): Promise<readonly string[]> => {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return []
  const { rows } = await sql<{ readonly name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}
