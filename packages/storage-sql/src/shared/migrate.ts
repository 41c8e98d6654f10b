import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { type Tables, tableNames } from '../tables/index.ts'
import type { RunMigrationStep } from './engine.ts'
import { type TablePlace, tablePlacePlugin } from './table-place.ts'

export interface MigrationStatus {
  readonly applied: readonly string[]
  readonly pending: readonly string[]
  /** Applied migrations that only a newer version of the program has. */
  readonly newer: readonly string[]
  /** Tables of other programs in the place of our tables. Empty if a newer version has migrated, whose tables are not known. */
  readonly foreignTables: readonly string[]
}

/** The migrations of this program, and the place of their tables. */
export interface PlacedMigrations {
  readonly place: TablePlace
  readonly migrations: Readonly<Record<string, Migration>>
  /** The names of the migrations that do nothing but add indexes. */
  readonly indexMigrations: ReadonlySet<string>
}

const MIGRATION_TABLE = 'kysely_migration'
/** Tables of Kysely, of data moves and of dropped indexes, which no query of a store uses. */
const OWN_FURTHER_TABLES = [MIGRATION_TABLE, `${MIGRATION_TABLE}_lock`]

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
  const applied = known.filter(({ executedAt }) => executedAt !== undefined).map(({ name }) => name)
  const newer = (await readAppliedNames(db, own.place)).filter((name) => !Object.hasOwn(own.migrations, name))
  return {
    applied,
    pending: known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name),
    newer,
    foreignTables: newer.length > 0 ? [] : await readForeignTables(db, own.place, applied.length > 0),
  }
}

/**
 * Returns the tables in the place of ours that our migrations did not make. Without a migration, that is every table there. A
 * prefix is ours alone once we have migrated: an adapter makes further tables with the prefix, for its search.
 */
const readForeignTables = async (db: Kysely<Tables>, place: TablePlace, isMigrated: boolean): Promise<readonly string[]> => {
  if (isMigrated && 'prefix' in place) return []
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  const own = new Set(isMigrated ? [...tableNames, ...OWN_FURTHER_TABLES] : OWN_FURTHER_TABLES)
  const names = tables.flatMap(({ name, schema }) => {
    if ('schema' in place) return schema === place.schema ? [name] : []
    return name.startsWith(place.prefix) ? [name.slice(place.prefix.length)] : []
  })
  return names.filter((name) => !own.has(name)).sort()
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
