import { FieldNotOpened, fieldPrefix, keyIdOf, openField, sealField } from '../../shared/crypto/field-encryption.ts'
import type { KeyRing } from '../../shared/crypto/key-ring.ts'
import type { DataSource } from '../../shared/data-moves/data-move.ts'
import type { Random } from '../../shared/random.ts'
import { tableWith } from './examine-sealed-fields.ts'
import {
  type ReplacedText,
  type SealedRow,
  type SealedTable,
  type SealedTexts,
  sealedColumns,
  sealedColumnsIn,
  sealedFieldIn,
  withSealedField,
} from './sealed-fields.ts'

/** A database whose encrypted fields can be rotated. */
export interface RotatableStorage extends DataSource {
  readonly sealedTexts: SealedTexts
}

/** The progress of a rotation: the rows that the current pass has read, out of `total`. */
export interface FieldRotationProgress {
  readonly pass: number
  readonly table: SealedTable
  readonly rows: number
  /** The rows of all tables when the rotation began. Servers may have added rows since. */
  readonly total: number
}

/** The result of a rotation. */
export interface FieldRotation {
  /** The id of the key that encrypts. */
  readonly kid: string
  /** The number of fields that were encrypted again, with one entry for each table with encrypted fields. */
  readonly tables: readonly { readonly table: SealedTable; readonly fields: number }[]
  /** The fields that cannot be decrypted, by key id: the ring lacks the key or its secret, or the field was changed. */
  readonly unopened: readonly { readonly kid: string; readonly fields: number }[]
  /** `true` if the last pass found every field of every table under the key `kid`. */
  readonly isComplete: boolean
}

const ROWS_PER_BATCH = 200
/** Usually the first pass encrypts, and the second finds nothing left. More are needed while servers write with an older key. */
const MOST_PASSES = 5

interface Pass {
  readonly fields: Map<SealedTable, number>
  readonly unopened: Map<string, number>
  /** Rows that another process changed between reading and writing. */
  lost: number
}

const add = <K>(counts: Map<K, number>, key: K, more: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + more)
}

/** Encrypts the fields of a row that older keys encrypted, and replaces them in one statement. */
const rotateRow = async (
  { sealedTexts }: RotatableStorage,
  { ring, random }: { readonly ring: KeyRing; readonly random: Random },
  table: SealedTable,
  { id, texts }: SealedRow,
  pass: Pass,
): Promise<void> => {
  const replaced = sealedColumnsIn(table).flatMap((column, at): ReplacedText[] => {
    const from = texts[at] ?? null
    const field = from === null ? undefined : sealedFieldIn(column, from)
    if (from === null || field === undefined || keyIdOf(field) === ring.current.kid) return []
    const place = { ...column, row: id }
    try {
      const sealed = sealField(ring, random, place, openField(ring, place, field))
      return [{ column: column.column, from, to: withSealedField(column, from, sealed) }]
    } catch (error) {
      if (!(error instanceof FieldNotOpened)) throw error
      add(pass.unopened, keyIdOf(field), 1)
      return []
    }
  })
  if (replaced.length === 0) return
  if (await sealedTexts.replace(table, id, replaced)) add(pass.fields, table, replaced.length)
  else pass.lost += 1
}

/** Waits for all, also if one fails, so that no write goes on after a failed rotation. */
const allEnded = async (running: readonly Promise<void>[]): Promise<void> => {
  await Promise.allSettled(running)
  await Promise.all(running)
}

const countAll = (storage: DataSource, tables: readonly SealedTable[]): Promise<number> =>
  storage.snapshot(async (snapshot) => {
    let total = 0
    for (const table of tables) total += await snapshot.countRows(tableWith(table))
    return total
  })

/**
 * Encrypts every field that an older key encrypted with the first key of the ring. Servers may run meanwhile: each row is replaced
 * by one statement, if its fields are unchanged. Passes over all tables are repeated until one finds nothing. Each field names its
 * key, so an interrupted rotation just runs again, also several at a time.
 * @param ring The keys of all servers. Run this only once the first key is the first key of every server.
 */
export const rotateSealedFields = async (
  storage: RotatableStorage,
  ring: KeyRing,
  random: Random,
  { onProgress }: { readonly onProgress?: (progress: FieldRotationProgress) => void } = {},
): Promise<FieldRotation> => {
  const tables = Object.keys(sealedColumns) as SealedTable[]
  const total = await countAll(storage, tables)
  const except = fieldPrefix(ring.current.kid)

  const runPass = async (number: number): Promise<Pass> => {
    const pass: Pass = { fields: new Map(), unopened: new Map(), lost: 0 }
    let rows = 0
    for (const table of tables) {
      let after: string | undefined
      for (;;) {
        const batch = await storage.sealedTexts.rowsAfter({ table, after, limit: ROWS_PER_BATCH, except })
        await allEnded(batch.map((row) => rotateRow(storage, { ring, random }, table, row, pass)))
        rows += batch.length
        onProgress?.({ pass: number, table, rows, total })
        if (batch.length < ROWS_PER_BATCH) break
        after = batch.at(-1)?.id
      }
    }
    return pass
  }

  const fields = new Map<SealedTable, number>()
  let last: Pass
  let number = 0
  do {
    number += 1
    last = await runPass(number)
    for (const [table, count] of last.fields) add(fields, table, count)
  } while (number < MOST_PASSES && (last.fields.size > 0 || last.lost > 0))

  return {
    kid: ring.current.kid,
    tables: tables.map((table) => ({ table, fields: fields.get(table) ?? 0 })),
    unopened: [...last.unopened].map(([kid, count]) => ({ kid, fields: count })),
    isComplete: last.fields.size === 0 && last.lost === 0 && last.unopened.size === 0,
  }
}
