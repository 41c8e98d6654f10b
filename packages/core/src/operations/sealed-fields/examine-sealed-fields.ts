import { FieldNotOpened, type FieldPlace, keyIdOf, openField, type SealedField } from '../../shared/crypto/field-encryption.ts'
import type { KeyRing } from '../../shared/crypto/key-ring.ts'
import type { DataSource } from '../../shared/data-moves/data-move.ts'
import type { DataSnapshot, StoredRow, StoredTable } from '../../shared/data-moves/snapshot.ts'
import { type SealedTable, sealedColumns, sealedColumnsIn, sealedFieldIn } from './sealed-fields.ts'

/** The result for the fields that were encrypted with one key. */
export interface FieldsOfKey {
  readonly kid: string
  readonly opened: number
  /** Fields that cannot be decrypted: the key is not configured, the key has another secret, or the field was changed. */
  readonly unopened: number
}

/** The result for all examined fields. */
export interface SealedFieldsReport {
  /** One entry for each key id that a field names, sorted by key id. */
  readonly keys: readonly FieldsOfKey[]
  /** `true` if every field was examined. Large tables are examined in part. */
  readonly isWhole: boolean
}

const ROWS_PER_READ = 500
const MOST_ROWS = 50_000

/** Returns the id and the encrypted columns of a table. */
export const tableWith = (name: SealedTable): StoredTable => ({
  name,
  columns: ['id', ...sealedColumns[name]].map((column) => ({ name: column, kind: 'text' })),
  key: ['id'],
  counted: undefined,
})

async function* rowsOf(snapshot: DataSnapshot, table: StoredTable): AsyncGenerator<StoredRow> {
  let last: StoredRow | undefined
  for (let read = 0; read < MOST_ROWS; read += ROWS_PER_READ) {
    const rows = await snapshot.rowsAfter(table, last?.slice(0, 1), ROWS_PER_READ)
    yield* rows
    if (rows.length < ROWS_PER_READ) return
    last = rows.at(-1)
  }
}

const opens = (ring: KeyRing | undefined, place: FieldPlace, field: SealedField): boolean => {
  if (ring === undefined) return false
  try {
    openField(ring, place, field)
    return true
  } catch (error) {
    if (error instanceof FieldNotOpened) return false
    throw error
  }
}

/** Decrypts the stored fields of at most 50,000 rows of each table, drops the texts, and counts by key what can be decrypted. */
export const examineSealedFields = (
  source: Pick<DataSource, 'snapshot'>,
  ring: KeyRing | undefined,
): Promise<SealedFieldsReport> =>
  source.snapshot(async (snapshot) => {
    const counts = new Map<string, { opened: number; unopened: number }>()
    let isWhole = true
    for (const name of Object.keys(sealedColumns) as SealedTable[]) {
      const sealed = sealedColumnsIn(name)
      const table = tableWith(name)
      isWhole &&= (await snapshot.countRows(table)) <= MOST_ROWS
      for await (const [row, ...texts] of rowsOf(snapshot, table)) {
        for (const [at, column] of sealed.entries()) {
          const text = texts[at]
          const field = typeof text === 'string' ? sealedFieldIn(column, text) : undefined
          if (field === undefined) continue
          const kid = keyIdOf(field)
          const count = counts.get(kid) ?? { opened: 0, unopened: 0 }
          counts.set(kid, count)
          count[opens(ring, { ...column, row: String(row) }, field) ? 'opened' : 'unopened'] += 1
        }
      }
    }
    const keys = [...counts].map(([kid, count]) => ({ kid, ...count }))
    return { keys: keys.sort((one, other) => (one.kid < other.kid ? -1 : 1)), isWhole }
  })

/** The number of stored fields in words. Only a part of them was read unless `isWhole`. */
const counted = (count: number, isWhole: boolean): string =>
  `${isWhole ? '' : 'at least '}${count === 1 ? '1 stored field' : `${count} stored fields`}`

/** Reports stored fields that no configured key decrypts, a line for each key. @param ringName Such as `encryptionKeys`. */
export const lostFields = (
  { keys, isWhole }: SealedFieldsReport,
  ring: KeyRing | undefined,
  ringName: string,
): readonly string[] =>
  keys
    .filter(({ unopened }) => unopened > 0)
    .map(({ kid, unopened }) =>
      ring?.secrets.has(kid) === true
        ? `${counted(unopened, isWhole)} of key ${kid} cannot be opened: its secret is another, or they were changed`
        : `${counted(unopened, isWhole)} cannot be opened: the key ${kid} is not in ${ringName}`,
    )
