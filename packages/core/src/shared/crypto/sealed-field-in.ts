import { isSealedField, type SealedField } from './field-encryption.ts'
import { type SealedColumn, type SealedTable, sealedColumns } from './sealed-columns.ts'

/** The columns that hold JSON with an encrypted field inside, and the name of that member. */
const sealedMembers: Readonly<Record<string, string>> = { 'challenges.subject': 'nonce' }

const memberOf = ({ table, column }: SealedColumn): string | undefined => sealedMembers[`${table}.${column}`]

/** Returns every column with encrypted fields of a table. */
export const sealedColumnsOf = (table: SealedTable): readonly SealedColumn[] =>
  sealedColumns[table].map((column) => ({ table, column }) as SealedColumn)

/** Returns the encrypted field in the stored text of a column; `undefined` if the text holds none. */
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
