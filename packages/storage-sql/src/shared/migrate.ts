import { allParts, type MigratedStorage, Unavailable } from '@countersign/core/storage'
import type { Part } from '@countersign/core/types'
import { type Kysely, sql } from 'kysely'
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration'
import type { PartMigrations } from '../migrations/index.ts'
import { type Tables, tablesOf } from '../tables/index.ts'
import type { RunMigrationStep } from './engine.ts'
import { type TablePlace, tablePlacePlugin } from './table-place.ts'

type MigrationStatus = Awaited<ReturnType<MigratedStorage['migrationStatus']>>

/** The migrations of this program, and the place of their tables. */
export interface PlacedMigrations {
  readonly place: TablePlace
  readonly migrations: PartMigrations
  /** The parts that this storage uses. Tables of other parts are neither made nor changed. */
  readonly parts: readonly Part[]
}

/** Records the applied migrations of a part. Each part has a table of its own, so that a part can be added later. */
const recordTable = (part: Part): string => `migrations_${part}`
/** Kysely needs this table; `Engine.migration` holds the lock. */
const LOCK_TABLE = 'migrations_lock'
const OWN_FURTHER_TABLES = [...allParts.map(recordTable), LOCK_TABLE]

/** The table of applied migrations in a database of an unreleased version, whose migrations this version does not know. */
const UNRELEASED = { table: 'kysely_migration', migration: '0002-approvals' }
const UNRELEASED_SENTENCE =
  'its tables are those of a version before the first release, which cannot be upgraded; use an empty database'

/** Kysely's tables for migrations have the same place as all others. */
const migrationTables = (place: TablePlace, part: Part) =>
  'schema' in place
    ? { migrationTableSchema: place.schema, migrationTableName: recordTable(part), migrationLockTableName: LOCK_TABLE }
    : { migrationTableName: place.prefix + recordTable(part), migrationLockTableName: place.prefix + LOCK_TABLE }

const inPlace = ({ up }: Migration, place: TablePlace): Migration => ({
  up: (db) => up(db.withoutPlugins().withPlugin(tablePlacePlugin(place))),
})

/** Applies the next migration of a part, or all of them, and returns their names. */
const migratePart = async (
  db: Kysely<Tables>,
  { place, migrations }: PlacedMigrations,
  part: Part,
  which: 'next' | 'all',
): Promise<readonly string[]> => {
  const entries = Object.entries(migrations[part]).map(([name, migration]) => [name, inPlace(migration, place)] as const)
  const placed = Object.fromEntries(entries)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => placed }, ...migrationTables(place, part) })
  const options = { disableTransactions: !db.isTransaction }
  const { error, results = [] }: MigrationResultSet = await (which === 'next'
    ? migrator.migrateUp(options)
    : migrator.migrateToLatest(options))
  if (error !== undefined) throw error
  return results.map(({ migrationName }) => migrationName)
}

/**
 * Returns which migrations were applied and which are pending.
 *
 * @throws Unavailable for a database that a version before the first release made
 */
export const readMigrationStatus = async (
  db: Kysely<Tables>,
  { place, migrations, parts }: PlacedMigrations,
): Promise<MigrationStatus> => {
  const namesOf = (part: Part) => Object.keys(migrations[part]).sort()
  const wanted = parts.flatMap(namesOf)
  const known = allParts.flatMap(namesOf)
  const present = await readTableNames(db, place)
  const recorded = await readRecords(db, place, present)
  const applied = known.filter((name) => recorded.includes(name))
  if (recorded.length === 0 && (await readRecord(db, place, UNRELEASED.table, present)).includes(UNRELEASED.migration)) {
    const cause = Object.assign(new Error('Unreleased migrations'), { forOperator: UNRELEASED_SENTENCE })
    throw new Unavailable(undefined, { cause, reason: 'database_not_migrated' })
  }
  const newer = recorded.filter((name) => !known.includes(name))
  return {
    applied,
    pending: wanted.filter((name) => !recorded.includes(name)),
    newer,
    foreignTables: newer.length > 0 ? [] : foreignAmong(present, place, applied.length > 0),
  }
}

/**
 * Returns the tables in the place of ours that our migrations did not make. Before the first migration of a part, its names are
 * foreign too. A prefix is ours alone once we have migrated: an adapter makes further tables with the prefix, for its search.
 */
const foreignAmong = (present: readonly string[], place: TablePlace, isMigrated: boolean): readonly string[] => {
  if (isMigrated && 'prefix' in place) return []
  const migrated = allParts.filter((part) => isMigrated && present.includes(recordTable(part)))
  const own = new Set([...tablesOf(migrated), ...OWN_FURTHER_TABLES])
  return present.filter((name) => !own.has(name)).sort()
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
    const part = own.parts.find((each) => next !== undefined && Object.hasOwn(own.migrations[each], next))
    if (next === undefined || part === undefined) return applied
    if (status.applied.length === 0) {
      applied.push(
        ...(await runStep(async (db) => {
          const names: string[] = []
          for (const each of own.parts) names.push(...(await migratePart(db, own, each, 'all')))
          return names
        })),
      )
    } else {
      const options = { indexesConcurrently: own.migrations[part][next]?.addsOnlyIndexes === true }
      applied.push(...(await runStep((db) => migratePart(db, own, part, 'next'), options)))
    }
  }
}

/** Returns the names of all applied migrations, with those that only a newer version of the program has. */
export const readAppliedNames = async (db: Kysely<Tables>, place: TablePlace): Promise<readonly string[]> =>
  readRecords(db, place, await readTableNames(db, place))

const readRecords = async (db: Kysely<Tables>, place: TablePlace, present: readonly string[]): Promise<readonly string[]> => {
  const names: string[] = []
  for (const part of allParts) names.push(...(await readRecord(db, place, recordTable(part), present)))
  return names
}

const readRecord = async (
  db: Kysely<Tables>,
  place: TablePlace,
  table: string,
  present: readonly string[],
): Promise<readonly string[]> => {
  if (!present.includes(table)) return []
  const qualified = 'schema' in place ? sql.id(place.schema, table) : sql.id(place.prefix + table)
  const { rows } = await sql<{ readonly name: string }>`select name from ${qualified} order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Returns the names of all tables in the place of ours, without the prefix. */
const readTableNames = async (db: Kysely<Tables>, place: TablePlace): Promise<readonly string[]> => {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  return tables.flatMap(({ name, schema }) => {
    if ('schema' in place) return schema === place.schema ? [name] : []
    return name.startsWith(place.prefix) ? [name.slice(place.prefix.length)] : []
  })
}
