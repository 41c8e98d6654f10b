import type { SealedColumn, SealedTable } from './sealed-columns.ts'

/** A row of a table with encrypted fields. */
export interface SealedRow {
  readonly id: string
  /** The stored texts, in the order of `sealedColumns`. `null` if the column is empty or its text was excepted. */
  readonly texts: readonly (string | null)[]
}

/** The rows to read. */
export interface SealedRowsQuery {
  readonly table: SealedTable
  /** The id of the last row that was read; `undefined` at the beginning. */
  readonly after: string | undefined
  readonly limit: number
  /** Texts that begin so are returned as `null`. The rows are returned all the same, so that one call reads few rows. */
  readonly except: string
}

/** A stored text, and the text that replaces it. */
export interface ReplacedText {
  readonly column: SealedColumn['column']
  readonly from: string
  readonly to: string
}

/** Reads and replaces the stored texts with encrypted fields. */
export interface SealedTexts {
  /** Returns the next rows of a table, sorted by id. */
  rowsAfter(query: SealedRowsQuery): Promise<readonly SealedRow[]>
  /**
   * Replaces texts of one row in one statement. Changes nothing if one of the texts has changed or the row is gone. Returns
   * whether the texts were replaced. Of several concurrent calls with the same texts, one returns `true`.
   */
  replace(table: SealedTable, id: string, texts: readonly ReplacedText[]): Promise<boolean>
}
