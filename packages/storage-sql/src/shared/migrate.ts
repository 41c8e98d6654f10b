import type { Part } from '@countersign/core'
import { allParts, type MigratedStorage, Unavailable } from '@countersign/core/storage'
import { type Kysely, sql } from 'kysely'
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration'
import type { PartMigrations } from '../migrations/index.ts'
import { type Tables, tablesOf } from '../tables/index.ts'
import type { RunMigrationStep } from './engine.ts'
import { readTableNames, recordTable } from './installation.ts'
import { migrationDigest } from './migration-digest.ts'
import { type TablePlace, tablePlacePlugin } from './table-place.ts'

type MigrationStatus = Awaited<ReturnType<MigratedStorage['migrationStatus']>>

/** The migrations of this program, and the place of their tables. */
export interface PlacedMigrations {
  readonly place: TablePlace
  readonly migrations: PartMigrations
  /** The parts that this storage uses. Tables of other parts are neither made nor changed. */
  readonly parts: readonly Part[]
}

/** Kysely needs this table; `Engine.migration` takes the lock. */
const LOCK_TABLE = 'migrations_lock'
const OWN_FURTHER_TABLES = [...allParts.map(recordTable), LOCK_TABLE]

/** The table of applied migrations in a database of the oldest unreleased versions, and a migration that only they have. */
const UNRELEASED = { table: 'kysely_migration', migration: '0002-approvals' }
const UNRELEASED_SENTENCE =
  'it was made before the first release by another version: nothing carries over; ' +
  'delete the folder `.countersign` (or make an empty database), or stay on that version'

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
  const names = results.map(({ migrationName }) => migrationName)
  if (names.length > 0) await recordDigests(db, { place, migrations }, part, names)
  return names
}

/** Returns the names of applied and pending migrations. @throws Unavailable for a database of a version before the first release */
export const readMigrationStatus = async (
  db: Kysely<Tables>,
  { place, migrations, parts }: PlacedMigrations,
): Promise<MigrationStatus> => {
  const namesOf = (part: Part) => Object.keys(migrations[part]).sort()
  const wanted = parts.flatMap(namesOf)
  const known = allParts.flatMap(namesOf)
  const present = await readTableNames(db, place)
  const records = await readRecords(db, place, present)
  const oldest = await readRecords(db, place, present, [UNRELEASED.table])
  if (oldest.has(UNRELEASED.migration) || (await hasOtherStatements(records, migrations))) refuseUnreleased()
  const applied = known.filter((name) => records.has(name))
  const newer = [...records.keys()].filter((name) => !known.includes(name))
  return {
    applied,
    pending: wanted.filter((name) => !records.has(name)),
    newer,
    foreignTables: newer.length > 0 ? [] : foreignAmong(present, place, applied.length > 0),
  }
}

/** The digest of each applied migration, by its name; `null` for a migration without a digest. */
type Records = ReadonlyMap<string, string | null>

/** Returns whether a migration was applied with other statements under the same name. The earliest versions stored no digest. */
const hasOtherStatements = async (records: Records, migrations: PartMigrations): Promise<boolean> => {
  for (const [name, migration] of allParts.flatMap((part) => Object.entries(migrations[part]))) {
    if (records.has(name) && records.get(name) !== (await migrationDigest(migration))) return true
  }
  return false
}

const refuseUnreleased = (): never => {
  const cause = Object.assign(new Error('Unreleased migrations'), { forOperator: UNRELEASED_SENTENCE })
  throw new Unavailable(undefined, { cause, reason: 'database_not_migrated' })
}

/** Reads the applied migrations of all parts, or of other tables. */
const readRecords = async (
  db: Kysely<Tables>,
  place: TablePlace,
  present: readonly string[],
  tables: readonly string[] = allParts.map(recordTable),
): Promise<Records> => {
  const records = new Map<string, string | null>()
  for (const table of tables.filter((name) => present.includes(name))) {
    const { rows } = await sql<{ readonly name: string; readonly digest?: string | null }>`
      select * from ${qualified(place, table)} order by name`.execute(db)
    for (const { name, digest = null } of rows) records.set(name, digest)
  }
  return records
}

/**
 * Returns the tables in our place that our migrations did not make. Once we have migrated, a prefix is ours alone: an adapter
 * makes further tables with it.
 */
const foreignAmong = (present: readonly string[], place: TablePlace, isMigrated: boolean): readonly string[] => {
  if (isMigrated && 'prefix' in place) return []
  const migrated = allParts.filter((part) => isMigrated && present.includes(recordTable(part)))
  const own = new Set([...tablesOf(migrated), ...OWN_FURTHER_TABLES])
  return present.filter((name) => !own.has(name)).sort()
}

/**
 * Applies the pending migrations, each as a step, and returns their names. A failed step leaves the earlier ones. An unused
 * database gets all in one step.
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
export const readAppliedNames = async (db: Kysely<Tables>, place: TablePlace): Promise<readonly string[]> => [
  ...(await readRecords(db, place, await readTableNames(db, place))).keys(),
]

/** Stores the digests of applied migrations, in a column that is added before the first one. */
const recordDigests = async (
  db: Kysely<Tables>,
  { place, migrations }: Omit<PlacedMigrations, 'parts'>,
  part: Part,
  names: readonly string[],
): Promise<void> => {
  const records = qualified(place, recordTable(part))
  const isFirst = Object.keys(migrations[part]).sort()[0] === names[0]
  if (isFirst) await sql`alter table ${records} add column digest text`.execute(db)
  for (const name of names) {
    const digest = await migrationDigest(migrations[part][name] as Migration)
    await sql`update ${records} set digest = ${digest} where name = ${name}`.execute(db)
  }
}

const qualified = (place: TablePlace, table: string) =>
  'schema' in place ? sql.id(place.schema, table) : sql.id(place.prefix + table)
