/**
 * What stands in a column of a row, as every database says it: a text, the digits of a whole number, a floating-point
 * number, or nothing.
 */
export type StoredValue = string | number | null

/** The values of one row, in the order of its table's columns. */
export type StoredRow = readonly StoredValue[]

/** A column of a table, as it is read and written in a move. */
export interface StoredColumn {
  readonly name: string
  /** `integer` stands as its digits, since not every whole number of 64 bits is a JavaScript number. */
  readonly kind: 'text' | 'integer' | 'number'
}

/** A table, as it is read and written in a move. */
export interface StoredTable {
  readonly name: string
  /** In the order of their names. */
  readonly columns: readonly StoredColumn[]
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[]
  /** The column that the database counts up by itself. */
  readonly counted: string | undefined
}

/** Everything that a database holds, as of one moment; rows that are computed from others (search indexes) left out. */
export interface DataSnapshot {
  /** Which database it is of: the same text however that is addressed, and another one for every other database. */
  readonly database: string
  /** Names of the migrations that were applied, those of newer programs among them. */
  readonly migrations: readonly string[]
  countRows(table: StoredTable): Promise<number>
  /** Up to `limit` rows in the order of the key, from the beginning or after the key that is given. */
  rowsAfter(table: StoredTable, key: StoredRow | undefined, limit: number): Promise<readonly StoredRow[]>
  /** The digits of the last number that the database counted in the table, `0` where it has not begun. */
  lastCounted(table: StoredTable): Promise<string>
}
