import { hash } from 'node:crypto'
import { DataMoveDiffers, type DataSnapshot, type StoredRow, type StoredTable } from '@countersign/core/storage'
import { readBatches } from './batches.ts'

/** The digest of a table: the number of rows and the sum of their hashes. The order of the rows does not matter. */
export interface Digest {
  readonly rows: number
  /** The sum of the rows' SHA-256 hashes, modulo 2^256. */
  readonly sum: bigint
}

export const emptyDigest: Digest = { rows: 0, sum: 0n }

/** Adds rows to a digest. A row is hashed as JSON of its values, in the order of the column names, so all databases agree. */
export const addRows = ({ rows, sum }: Digest, added: readonly StoredRow[]): Digest => ({
  rows: rows + added.length,
  sum: BigInt.asUintN(
    256,
    added.reduce((total, row) => total + BigInt(`0x${hash('sha256', JSON.stringify(row))}`), sum),
  ),
})

export const isSameDigest = (one: Digest, other: Digest): boolean => one.rows === other.rows && one.sum === other.sum

/** Reports that a number of further rows of a table is done. */
export type ReportRows = (table: StoredTable, rows: number) => void

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
