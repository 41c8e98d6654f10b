import type { DataSource } from '../data-moves/data-move.ts'
import type { DataSnapshot, StoredRow, StoredTable } from '../data-moves/snapshot.ts'
import { FieldNotOpened, isSealedField, openField, type SealedField } from './field-encryption.ts'
import type { KeyRing } from './key-ring.ts'

/** Every column that holds sealed fields, by its table, whose key is `id`. */
export const sealedColumns: Readonly<Record<string, readonly string[]>> = {
  devices: ['push_token'],
  confirmations: ['payload', 'nonce', 'reject_reason'],
}

/** What stored fields that name one key came to. */
export interface FieldsOfKey {
  readonly kid: string
  readonly opened: number
  /** Fields that do not open: the key is not configured, its secret is another, or they were changed. */
  readonly unopened: number
}

/** What stored fields come to with the configured keys. */
export interface SealedFieldsReport {
  /** A row for each key that a field names, in the order of their ids. */
  readonly keys: readonly FieldsOfKey[]
  /** Whether every field was looked at; large tables are looked at in part. */
  readonly isWhole: boolean
}

const ROWS_AT_ONCE = 500
const MOST_ROWS = 50_000

const columnOf = (name: string) => ({ name, kind: 'text' }) as const

async function* rowsOf(snapshot: DataSnapshot, table: StoredTable): AsyncGenerator<StoredRow> {
  let last: StoredRow | undefined
  for (let read = 0; read < MOST_ROWS; read += ROWS_AT_ONCE) {
    const rows = await snapshot.rowsAfter(table, last?.slice(0, 1), ROWS_AT_ONCE)
    yield* rows
    if (rows.length < ROWS_AT_ONCE) return
    last = rows.at(-1)
  }
}

const opens = (ring: KeyRing | undefined, place: Parameters<typeof openField>[1], field: SealedField): boolean => {
  if (ring === undefined) return false
  try {
    openField(ring, place, field)
    return true
  } catch (error) {
    if (error instanceof FieldNotOpened) return false
    throw error
  }
}

/**
 * Opens the stored fields, at most 50,000 rows of each table, and tells by key which of them open. For diagnosis: nothing of
 * what they hold is kept.
 *
 * @param ring The configured keys; `undefined` where there are none.
 */
export const examineSealedFields = (source: DataSource, ring: KeyRing | undefined): Promise<SealedFieldsReport> =>
  source.snapshot(async (snapshot) => {
    const counts = new Map<string, { opened: number; unopened: number }>()
    let isWhole = true
    for (const [name, sealed] of Object.entries(sealedColumns)) {
      const table: StoredTable = { name, columns: ['id', ...sealed].map(columnOf), key: ['id'], counted: undefined }
      isWhole &&= (await snapshot.countRows(table)) <= MOST_ROWS
      for await (const [row, ...fields] of rowsOf(snapshot, table)) {
        for (const [at, column] of sealed.entries()) {
          const field = fields[at]
          if (typeof field !== 'string' || !isSealedField(field)) continue
          const kid = field.split('.')[1] ?? ''
          const count = counts.get(kid) ?? { opened: 0, unopened: 0 }
          counts.set(kid, count)
          count[opens(ring, { table: name, column, row: String(row) }, field) ? 'opened' : 'unopened'] += 1
        }
      }
    }
    const keys = [...counts].map(([kid, count]) => ({ kid, ...count }))
    return { keys: keys.sort((one, other) => (one.kid < other.kid ? -1 : 1)), isWhole }
  })
