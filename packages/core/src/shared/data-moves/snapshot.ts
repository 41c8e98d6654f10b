/** A value of a column, in a form that all databases share: text, the digits of an integer, a floating-point number, or null. */
export type StoredValue = string | number | null

/** The values of one row, in the order of its table's columns. */
export type StoredRow = readonly StoredValue[]

/** A column of a table in a data move. */
export interface StoredColumn {
  readonly name: string
  /** An `integer` is a string of digits, because JavaScript numbers cannot represent every 64-bit integer. */
  readonly kind: 'text' | 'integer' | 'number'
}

/** A table in a data move. */
export interface StoredTable {
  readonly name: string
  /** Sorted by name. */
  readonly columns: readonly StoredColumn[]
  /** The columns of the primary key, in the order of the key. */
  readonly key: readonly string[]
  /** The auto-increment column, if any. */
  readonly counted: string | undefined
}

/** A consistent snapshot of a database. Rows that are computed from other rows, such as search indexes, are left out. */
export interface DataSnapshot {
  /** The identity of the database. The same database has the same text under every address; other databases have another. */
  readonly database: string
  /** The names of the applied migrations, including migrations of newer versions of this program. */
  readonly migrations: readonly string[]
  countRows(table: StoredTable): Promise<number>
  /** Returns up to `limit` rows, sorted by key: the first rows, or the rows after `key`. */
  rowsAfter(table: StoredTable, key: StoredRow | undefined, limit: number): Promise<readonly StoredRow[]>
  /** Returns the last number of the auto-increment column as digits; `0` if there is none yet. */
  lastCounted(table: StoredTable): Promise<string>
}
