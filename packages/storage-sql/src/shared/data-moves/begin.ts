import { DataMoveRefused, type StoredRow, type StoredTable } from '@countersign/core/storage'
import type { Kysely } from 'kysely'
import { seeds } from '../../migrations/index.ts'
import type { Tables } from '../../tables/index.ts'
import type { DialectFeatures } from '../dialect-features.ts'
import { addRows, emptyDigest, isSameDigest } from './digest.ts'
import { openSnapshot } from './open-snapshot.ts'
import { beginProgress, type CopiedTables, nothingCopied, readProgress, saveProgress } from './progress.ts'

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

/** Returns whether the tables hold only the rows of the migrations, so that the database is not in use yet. */
const isUnused = async (db: Kysely<Tables>, features: DialectFeatures, tables: readonly StoredTable[]): Promise<boolean> => {
  const snapshot = await openSnapshot(db, features)
  for (const table of tables) {
    const seeded = seededRows(table)
    const found = await snapshot.rowsAfter(table, undefined, seeded.length + 1)
    if (!isSameDigest(addRows(emptyDigest, found), addRows(emptyDigest, seeded))) return false
  }
  return true
}

const nothingYet = (tables: readonly StoredTable[]): CopiedTables => new Map(tables.map(({ name }) => [name, nothingCopied]))

/**
 * Prepares a database for a data move, and returns the progress: nothing is copied yet. Returns `undefined` if the database is in
 * use.
 *
 * @throws DataMoveRefused if another move has begun meanwhile
 */
export const begin = async (
  db: Kysely<Tables>,
  features: DialectFeatures,
  tables: readonly StoredTable[],
): Promise<CopiedTables | undefined> => {
  try {
    return await db.transaction().execute(async (tx) => {
      if (!(await isUnused(tx, features, tables))) return undefined
      await beginProgress(tx, tables)
      await features.dataMoves.empty(tx, tables)
      await features.dataMoves.prepare(tx)
      return nothingYet(tables)
    })
  } catch (cause) {
    if ((await readProgress(db, features.dataMoves)) === undefined) throw cause
    throw new DataMoveRefused('Another move into the target is under way', { cause })
  }
}

/** Deletes the copied rows and starts again. */
export const restart = async (
  db: Kysely<Tables>,
  features: DialectFeatures,
  tables: readonly StoredTable[],
  copied: CopiedTables,
): Promise<CopiedTables> => {
  await db.transaction().execute(async (tx) => {
    for (const [name, before] of copied) await saveProgress(tx, name, before, nothingCopied)
    await features.dataMoves.empty(tx, tables)
  })
  return nothingYet(tables)
}
