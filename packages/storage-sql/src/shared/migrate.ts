import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Tables } from '../tables/index.ts'
import { type TablePlace, tablePlacePlugin } from './table-place.ts'

export interface MigrationStatus {
  readonly applied: readonly string[]
  readonly pending: readonly string[]
  /** Applied migrations that only a newer version of the program has. */
  readonly newer: readonly string[]
}

/** The migrations of this program, and the place of their tables. */
export interface PlacedMigrations {
  readonly place: TablePlace
  readonly migrations: Readonly<Record<string, Migration>>
}

const MIGRATION_TABLE = 'kysely_migration'

/** Kysely's tables for migrations have the same place as all others. */
const migrationTables = (place: TablePlace) =>
  'schema' in place
    ? { migrationTableSchema: place.schema }
    : {
        migrationTableName: place.prefix + MIGRATION_TABLE,
        migrationLockTableName: `${place.prefix}${MIGRATION_TABLE}_lock`,
      }

const inPlace = ({ up }: Migration, place: TablePlace): Migration => ({
  up: (db) => up(db.withoutPlugins().withPlugin(tablePlacePlugin(place))),
})

const createMigrator = (db: Kysely<Tables>, { place, migrations }: PlacedMigrations): Migrator => {
  const placed = Object.fromEntries(Object.entries(migrations).map(([name, migration]) => [name, inPlace(migration, place)]))
  return new Migrator({ db, provider: { getMigrations: async () => placed }, ...migrationTables(place) })
}

/** Returns which migrations were applied and which are pending. */
export const readMigrationStatus = async (db: Kysely<Tables>, own: PlacedMigrations): Promise<MigrationStatus> => {
  const known = await createMigrator(db, own).getMigrations()
  return {
    applied: known.filter(({ executedAt }) => executedAt !== undefined).map(({ name }) => name),
    pending: known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name),
    newer: (await readAppliedNames(db, own.place)).filter((name) => !Object.hasOwn(own.migrations, name)),
  }
}

/** Applies the pending migrations and returns their names. If this rejects, `db` must roll everything back. */
export const applyMigrations = async (db: Kysely<Tables>, own: PlacedMigrations): Promise<readonly string[]> => {
  const { error, results = [] } = await createMigrator(db, own).migrateToLatest()
  if (error !== undefined) throw error
  return results.map(({ migrationName }) => migrationName)
}

/** Returns the names of all applied migrations, with those that only a newer version of the program has. */
export const readAppliedNames = async (db: Kysely<Tables>, place: TablePlace): Promise<readonly string[]> => {
  const [schema, table] = 'schema' in place ? [place.schema, MIGRATION_TABLE] : [undefined, place.prefix + MIGRATION_TABLE]
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((found) => found.name === table && found.schema === schema)) return []
  const qualified = schema === undefined ? sql.id(table) : sql.id(schema, table)
  const { rows } = await sql<{ readonly name: string }>`select name from ${qualified} order by name`.execute(db)
  return rows.map(({ name }) => name)
}
