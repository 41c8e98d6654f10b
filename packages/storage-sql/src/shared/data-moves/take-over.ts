import {
  type DataMoveOptions,
  type DataMoveProgress,
  DataMoveRefused,
  type DataSnapshot,
  type DataSource,
  type MovedTable,
  type StoredRow,
  type StoredTable,
} from '@countersign/core/storage'
import type { Kysely } from 'kysely'
import { seeds } from '../../migrations/index.ts'
import type { Tables } from '../../tables/index.ts'
import type { DialectFeatures } from '../dialect-features.ts'
import type { Engine } from '../engine.ts'
import { addRows, emptyDigest, isSameDigest, type ReportRows, readDigests, requireEqual } from './digest.ts'
import { openSnapshot } from './open-snapshot.ts'
import { readTables } from './read-tables.ts'

/** Returns the rows that the migrations inserted into a table, in the form of a data move. */
const seededRows = ({ name, columns }: StoredTable): readonly StoredRow[] => {
  const rows = seeds[name] ?? []
  return rows.map((row) => {
    const values = new Map<string, unknown>(Object.entries(row))
    return columns.map((column) =>
      column.kind === 'integer' ? String(values.get(column.name)) : (values.get(column.name) as string),
    )
  })
}

/** @throws DataMoveRefused if the tables have other rows than the rows of the migrations, because the database is then in use */
const requireUnused = async (tx: Kysely<Tables>, features: DialectFeatures, tables: readonly StoredTable[]): Promise<void> => {
  const snapshot = await openSnapshot(tx, features)
  const used: string[] = []
  for (const table of tables) {
    const seeded = seededRows(table)
    const found = await snapshot.rowsAfter(table, undefined, seeded.length + 1)
    if (!isSameDigest(addRows(emptyDigest, found), addRows(emptyDigest, seeded))) used.push(table.name)
  }
  if (used.length > 0)
    throw new DataMoveRefused(`The target holds other data already (${used.join(', ')}); a move takes an empty database`)
}

export interface Target {
  readonly engine: Pick<Engine, 'longWork'>
  readonly features: DialectFeatures
  /** The names of the migrations of all parts of the target. */
  readonly migrations: readonly string[]
  /** The names of the migrations of the other parts. */
  readonly otherMigrations: readonly string[]
  readonly tables: readonly string[]
  migrate(): Promise<unknown>
}

const requireSameMigrations = (source: readonly string[], target: readonly string[]): void => {
  const isMissingIn = (names: readonly string[]) => (name: string) => !names.includes(name)
  const pending = target.filter(isMissingIn(source))
  if (pending.length > 0) {
    throw new DataMoveRefused(`The source has pending migrations (${pending.join(', ')}); apply them with this version first`)
  }
  const newer = source.filter(isMissingIn(target))
  if (newer.length > 0) throw new DataMoveRefused(`The source belongs to a newer version (${newer.join(', ')}); use that one`)
}

/** Refuses a source that does not fit. Writes nothing, so that a refused target stays unchanged. */
const requireFitting = async (
  { features, migrations, otherMigrations }: Target,
  db: Kysely<Tables>,
  from: DataSnapshot,
): Promise<void> => {
  const target = await openSnapshot(db, features)
  if (from.database === target.database) throw new DataMoveRefused('Both databases are the same')
  const others = from.migrations.filter((name) => otherMigrations.includes(name))
  if (others.length > 0) {
    throw new DataMoveRefused(`The source has a part that the target was opened without (${others.join(', ')}); open it with all`)
  }
  const known = [...migrations, ...target.migrations.filter((name) => !otherMigrations.includes(name))]
  requireSameMigrations(from.migrations, [...new Set(known)])
}

type OnProgress = NonNullable<DataMoveOptions['onProgress']>

const reportPhase = (phase: DataMoveProgress['phase'], total: number, onProgress: OnProgress): ReportRows => {
  let rows = 0
  return ({ name: table }, more) => {
    rows += more
    onProgress({ phase, table, rows, total })
  }
}

const countAllRows = async (snapshot: DataSnapshot, tables: readonly StoredTable[]): Promise<number> => {
  let rows = 0
  for (const table of tables) rows += await snapshot.countRows(table)
  return rows
}

/** Copies, compares and completes everything in the transaction `tx`. */
const fill = async (
  tx: Kysely<Tables>,
  { features, tables: names }: Target,
  source: DataSource,
  onProgress: OnProgress,
): Promise<readonly MovedTable[]> => {
  const { dataMoves } = features
  const tables = await readTables(tx, dataMoves, names)
  await dataMoves.hold(tx, tables)
  await requireUnused(tx, features, tables)
  await dataMoves.empty(tx, tables)
  const dropped = await dataMoves.dropDerived(tx)

  const copied = await source.snapshot(async (from) => {
    const report = reportPhase('copy', await countAllRows(from, tables), onProgress)
    return readDigests(from, tables, report, (table, rows) => dataMoves.insert(tx, table, rows))
  })
  const total = [...copied.values()].reduce((sum, { rows }) => sum + rows, 0)
  const report = reportPhase('verify', 2 * total, onProgress)
  // A second snapshot shows whether the source was written to while it was copied.
  await source.snapshot(async (from) => {
    const changed = (names: string) =>
      `The source was written to while it was copied (${names}); stop the servers on it and run the move again`
    requireEqual(copied, await readDigests(from, tables, report), changed)
    for (const table of tables) {
      const { name, counted } = table
      if (counted !== undefined) await dataMoves.countFrom(tx, name, counted, await from.lastCounted(table))
    }
  })
  const here = await readDigests(await openSnapshot(tx, features), tables, report)
  requireEqual(copied, here, (names) => `The target holds other rows than were copied into it (${names})`)

  onProgress({ phase: 'complete', table: '', rows: total, total })
  await dataMoves.complete(tx, tables, dropped)
  return tables.map(({ name }) => ({ name, rows: copied.get(name)?.rows ?? 0 }))
}

export const takeOver = async (
  target: Target,
  source: DataSource,
  { onProgress = () => {} }: DataMoveOptions = {},
): Promise<readonly MovedTable[]> =>
  target.engine.longWork(async (db) => {
    await source.snapshot((from) => requireFitting(target, db, from))
    await target.migrate()
    return db.transaction().execute((tx) => fill(tx, target, source, onProgress))
  })
