import { DataMoveDiffers } from '@countersign/core/storage'
import type { DataSnapshot, StoredRow, StoredTable } from '@countersign/core/types'
import { readBatches } from './batches.ts'
import { addRows, type Digest, emptyDigest, isSameDigest } from './digest.ts'
import type { ReportRows } from './report-rows.ts'

/** The digests of all tables, by table name. Two databases with equal digests have equal rows. */
export type Digests = ReadonlyMap<string, Digest>

/** Reads every row of the tables, and returns the digests. @param use Takes each batch of rows, for example to copy it. */
export const readDigests = async (
  snapshot: DataSnapshot,
  tables: readonly StoredTable[],
  report: ReportRows,
  use: (table: StoredTable, rows: readonly StoredRow[]) => Promise<void> = async () => {},
): Promise<Digests> => {
  const digests = new Map<string, Digest>()
  for (const table of tables) {
    let digest = emptyDigest
    for await (const rows of readBatches(snapshot, table)) {
      await use(table, rows)
      digest = addRows(digest, rows)
      report(table, rows.length)
    }
    digests.set(table.name, digest)
  }
  return digests
}

/** @throws DataMoveDiffers with the message for the names of the tables that differ */
export const requireEqual = (one: Digests, other: Digests, message: (names: string) => string): void => {
  const different = [...one].filter(([name, digest]) => !isSameDigest(digest, other.get(name) ?? emptyDigest))
  const names = different.map(([name]) => name)
  if (names.length > 0) throw new DataMoveDiffers(message(names.join(', ')), names)
}
