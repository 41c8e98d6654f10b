/**
 * The columns with encrypted fields, by table. The primary key of each table is `id`. `FieldPlace` allows these columns and no
 * others, so each new encrypted column is listed here, and is rotated and examined.
 */
export const sealedColumns = {
  challenges: ['subject'],
  devices: ['push_token'],
  device_registrations: ['nonce', 'statement'],
  sessions: ['opened_from'],
  confirmations: ['payload', 'nonce', 'requested_from', 'match_number', 'reject_reason', 'statement', 'consumed_receipt'],
  approval_requests: ['payload', 'display', 'terms'],
  secrets: ['secret'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** A table with encrypted fields. */
export type SealedTable = keyof typeof sealedColumns

/** A column with encrypted fields, and its table. */
export type SealedColumn = {
  [T in SealedTable]: { readonly table: T; readonly column: (typeof sealedColumns)[T][number] }
}[SealedTable]

/** The place of a field in the database. The place is bound into the ciphertext, so a copied field does not open elsewhere. */
export type FieldPlace = SealedColumn & {
  /** The primary key of the row. */
  readonly row: string
}
