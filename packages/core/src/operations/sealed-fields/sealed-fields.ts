import { approvalColumns } from '../../approvals/sealed-columns.ts'
import { identityColumns } from '../../identity/sealed-columns.ts'
import { isSealedField, type SealedField } from '../../shared/crypto/field-encryption.ts'

/** The columns with encrypted fields of all parts, by table. */
export const sealedColumns = { ...identityColumns, ...approvalColumns }

export type SealedTable = keyof typeof sealedColumns

/** A column with encrypted fields, and its table. */
export type SealedColumn = {
  [T in SealedTable]: { readonly table: T; readonly column: (typeof sealedColumns)[T][number] }
}[SealedTable]

/** A row of a table with encrypted fields. */
export interface SealedRow {
  readonly id: string
  /** The stored texts, in the order of `sealedColumns`. `null` if the column is empty or its text was excepted. */
  readonly texts: readonly (string | null)[]
}

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
  /** Replaces texts of one row in one statement, unless one has changed or the row is gone. Returns whether they were replaced. */
  replace(table: SealedTable, id: string, texts: readonly ReplacedText[]): Promise<boolean>
}

/** The columns with JSON that contains an encrypted field, and the name of that member. */
const sealedMembers: Readonly<Record<string, string>> = { 'challenges.subject': 'nonce' }

const memberOf = ({ table, column }: SealedColumn): string | undefined => sealedMembers[`${table}.${column}`]

/** Returns every column with encrypted fields of a table. */
export const sealedColumnsIn = (table: SealedTable): readonly SealedColumn[] =>
  sealedColumns[table].map((column) => ({ table, column }) as SealedColumn)

/** Returns the encrypted field in the stored text of a column; `undefined` if the text contains none. */
export const sealedFieldIn = (column: SealedColumn, text: string): SealedField | undefined => {
  const member = memberOf(column)
  const field: unknown = member === undefined ? text : (JSON.parse(text) as Record<string, unknown>)[member]
  return typeof field === 'string' && isSealedField(field) ? field : undefined
}

/** Returns the stored text of a column with another encrypted field in the place of the former one. */
export const withSealedField = (column: SealedColumn, text: string, field: SealedField): string => {
  const member = memberOf(column)
  return member === undefined ? field : JSON.stringify({ ...(JSON.parse(text) as object), [member]: field })
}
