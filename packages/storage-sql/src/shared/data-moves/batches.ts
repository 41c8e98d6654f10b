import type { DataSnapshot, StoredRow, StoredTable } from '@countersign/core/storage'

const FIRST_BATCH = 100
const LARGEST_BATCH = 2000
/** Characters: what a batch may hold of texts, so that memory is bounded where rows are long. */
const LARGEST_TEXT = 4_000_000

/** Rows to read next, from what those read last held. */
const nextLimit = (rows: readonly StoredRow[]): number => {
  let characters = 1
  for (const row of rows) for (const value of row) characters += typeof value === 'string' ? value.length : 0
  return Math.max(1, Math.min(LARGEST_BATCH, 4 * rows.length, Math.floor((rows.length * LARGEST_TEXT) / characters)))
}

/** The values of a row's primary key. */
export const keyOf = ({ columns, key }: StoredTable, row: StoredRow): StoredRow =>
  key.map((name) => row[columns.findIndex((column) => column.name === name)] ?? null)

/**
 * The rows of a table in the order of its key, in parts that memory can hold.
 *
 * @param after The key to go on after. @param most Rows to read at most.
 */
export async function* readBatches(
  snapshot: DataSnapshot,
  table: StoredTable,
  after?: StoredRow,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly StoredRow[]> {
  let limit = FIRST_BATCH
  let key = after
  for (let left = most; left > 0; ) {
    const rows = await snapshot.rowsAfter(table, key, Math.min(limit, left))
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    key = keyOf(table, last)
    left -= rows.length
    limit = nextLimit(rows)
  }
}
