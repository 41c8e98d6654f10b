import type { DataSnapshot, StoredRow, StoredTable } from '@countersign/core/storage'

const FIRST_BATCH = 100
const LARGEST_BATCH = 2000
/** Characters of all texts in a batch. Bounds the memory for long rows. */
const LARGEST_TEXT = 4_000_000

/** Returns the size of the next batch, from the lengths of the last rows. */
const nextLimit = (rows: readonly StoredRow[]): number => {
  let characters = 1
  for (const row of rows) for (const value of row) characters += typeof value === 'string' ? value.length : 0
  return Math.max(1, Math.min(LARGEST_BATCH, 4 * rows.length, Math.floor((rows.length * LARGEST_TEXT) / characters)))
}

const keyOf = ({ columns, key }: StoredTable, row: StoredRow): StoredRow =>
  key.map((name) => row[columns.findIndex((column) => column.name === name)] ?? null)

/** Reads the rows of a table in the order of the primary key, in batches. */
export async function* readBatches(snapshot: DataSnapshot, table: StoredTable): AsyncGenerator<readonly StoredRow[]> {
  let limit = FIRST_BATCH
  let rows = await snapshot.rowsAfter(table, undefined, limit)
  for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    yield rows
    limit = nextLimit(rows)
    rows = await snapshot.rowsAfter(table, keyOf(table, last), limit)
  }
}
