import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Tables } from '../tables/index.ts'
import type { RunMigrationStep } from './engine.ts'
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
  /** The names of the migrations that do nothing but add indexes. */
  readonly indexMigrations: ReadonlySet<string>
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

/**
 * Applies the pending migrations, each as a step of its own, and returns their names. A failed step leaves what the steps before
 * applied. A database without any migration is not in use yet, so it gets all of them in one step.
 */
export const applyMigrations = async (runStep: RunMigrationStep, own: PlacedMigrations): Promise<readonly string[]> => {
  const applied: string[] = []
  for (;;) {
    const status = await runStep((db) => readMigrationStatus(db, own))
    const [next] = status.pending
    if (next === undefined) return applied
    const isInUse = status.applied.length > 0
    const options = { indexesConcurrently: isInUse && own.indexMigrations.has(next) }
    applied.push(...(await runStep((db) => applyStep(db, own, isInUse), options)))
  }
}

const applyStep = async (db: Kysely<Tables>, own: PlacedMigrations, onlyNext: boolean): Promise<readonly string[]> => {
  const migrator = createMigrator(db, own)
  const options = { disableTransactions: !db.isTransaction }
  const { error, results = [] } = await (onlyNext ? migrator.migrateUp(options) : migrator.migrateToLatest(options))
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
