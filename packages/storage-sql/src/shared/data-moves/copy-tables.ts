import type { DataSnapshot, StoredRow, StoredTable } from '@countersign/core/storage'
import type { Kysely } from 'kysely'
import type { Tables } from '../../tables/index.ts'
import type { DataMoveFeatures } from '../dialect-features.ts'
import { keyOf, readBatches } from './batches.ts'
import { addRows, emptyDigest, isSameDigest } from './digest.ts'
import { type Copied, type CopiedTables, nothingCopied, saveProgress } from './progress.ts'
import type { ReportRows } from './report-rows.ts'

/** Returns whether the source still has the rows that were copied. */
export const isSourceUnchanged = async (
  from: DataSnapshot,
  tables: readonly StoredTable[],
  copied: CopiedTables,
  report: ReportRows,
): Promise<boolean> => {
  for (const table of tables) {
    const { digest } = copied.get(table.name) ?? nothingCopied
    let found = emptyDigest
    for await (const rows of readBatches(from, table, undefined, digest.rows)) {
      found = addRows(found, rows)
      report(table, rows.length)
    }
    if (!isSameDigest(found, digest)) return false
  }
  return true
}

interface Copying {
  readonly db: Kysely<Tables>
  readonly features: DataMoveFeatures
  readonly from: DataSnapshot
  readonly tables: readonly StoredTable[]
  readonly report: ReportRows
}

/** Inserts rows and saves the progress in one transaction, so that no row is copied twice if the process ends. */
const copyRows = ({ db, features }: Copying, table: StoredTable, before: Copied, rows: readonly StoredRow[]): Promise<Copied> =>
  db.transaction().execute(async (tx) => {
    const after = { digest: addRows(before.digest, rows), lastKey: keyOf(table, rows.at(-1) ?? []) }
    await saveProgress(tx, table.name, before, after)
    await features.insert(tx, table, rows)
    return after
  })

/** Copies the rows that are not copied yet, and returns the progress. */
export const copyTables = async (copying: Copying, before: CopiedTables): Promise<CopiedTables> => {
  const { from, tables, report } = copying
  const copied = new Map(before)
  for (const table of tables) {
    let own = copied.get(table.name) ?? nothingCopied
    for await (const rows of readBatches(from, table, own.lastKey)) {
      own = await copyRows(copying, table, own, rows)
      report(table, rows.length)
    }
    copied.set(table.name, own)
  }
  return copied
}
