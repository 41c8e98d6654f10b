import type { DataSnapshot, StoredTable } from '@countersign/core/storage'
import { readBatches } from './batches.ts'
import { addRows, type Digest, emptyDigest } from './digest.ts'
import type { ReportRows } from './report-rows.ts'

/** The digests of all tables, and their last counted numbers, by table name. Used to compare two databases. */
export interface Contents {
  readonly digests: ReadonlyMap<string, Digest>
  readonly lastCounted: ReadonlyMap<string, string>
}

const digestOf = async (snapshot: DataSnapshot, table: StoredTable, report: ReportRows): Promise<Digest> => {
  let digest = emptyDigest
  for await (const rows of readBatches(snapshot, table)) {
    digest = addRows(digest, rows)
    report(table, rows.length)
  }
  return digest
}

/** Reads every row of the tables, and returns the digests. */
export const readContents = async (
  snapshot: DataSnapshot,
  tables: readonly StoredTable[],
  report: ReportRows,
): Promise<Contents> => {
  const digests = new Map<string, Digest>()
  const lastCounted = new Map<string, string>()
  for (const table of tables) {
    digests.set(table.name, await digestOf(snapshot, table, report))
    lastCounted.set(table.name, await snapshot.lastCounted(table))
  }
  return { digests, lastCounted }
}
