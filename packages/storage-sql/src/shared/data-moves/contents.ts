import type { DataSnapshot, StoredTable } from '@countersign/core/storage'
import { readBatches } from './batches.ts'
import { addRows, type Digest, emptyDigest } from './digest.ts'
import type { ReportRows } from './report-rows.ts'

/** What tells the contents of two databases apart, by the name of the table. */
export interface Contents {
  readonly digests: ReadonlyMap<string, Digest>
  readonly lastCounted: ReadonlyMap<string, string>
}

const digestOf = async (snapshot: DataSnapshot, table: StoredTable, follow: ReportRows): Promise<Digest> => {
  let digest = emptyDigest
  for await (const rows of readBatches(snapshot, table)) {
    digest = addRows(digest, rows)
    follow(table, rows.length)
  }
  return digest
}

/** Reads every row of the tables. */
export const readContents = async (
  snapshot: DataSnapshot,
  tables: readonly StoredTable[],
  follow: ReportRows,
): Promise<Contents> => {
  const digests = new Map<string, Digest>()
  const lastCounted = new Map<string, string>()
  for (const table of tables) {
    digests.set(table.name, await digestOf(snapshot, table, follow))
    lastCounted.set(table.name, await snapshot.lastCounted(table))
  }
  return { digests, lastCounted }
}
