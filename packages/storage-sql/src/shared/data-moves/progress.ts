import { DataMoveRefused, type StoredRow, type StoredTable } from '@countersign/core/storage'
import { type Kysely, sql } from 'kysely'
import type { DataMoveFeatures } from '../dialect-features.ts'
import { DATA_MOVE_TABLE } from '../table-place.ts'
import type { Tables } from '../tables.ts'
import { type Digest, emptyDigest } from './digest.ts'

/** What of a table was copied. */
export interface Copied {
  readonly digest: Digest
  /** The key of the last row. */
  readonly lastKey: StoredRow | undefined
}

export const nothingCopied: Copied = { digest: emptyDigest, lastKey: undefined }

/** By the name of the table. */
export type CopiedTables = ReadonlyMap<string, Copied>

export const copiedRows = (copied: CopiedTables): number =>
  [...copied.values()].reduce((total, { digest }) => total + digest.rows, 0)

interface Note {
  readonly table_name: string
  readonly last_key: string | null
  readonly rows: number | string
  readonly digest: string
}

/** Whether a move into this database has begun and not ended. */
export const isBeingFilled = async (db: Kysely<Tables>, features: DataMoveFeatures): Promise<boolean> =>
  (await features.columns(db)).some(({ table }) => table === DATA_MOVE_TABLE)

/** What was copied so far; `undefined` where no move has begun. */
export const readProgress = async (db: Kysely<Tables>, features: DataMoveFeatures): Promise<CopiedTables | undefined> => {
  if (!(await isBeingFilled(db, features))) return undefined
  const { rows: notes } = await sql<Note>`select * from ${sql.table(DATA_MOVE_TABLE)}`.execute(db)
  return new Map(
    notes.map(({ table_name, last_key, rows, digest }) => [
      table_name,
      {
        digest: { rows: Number(rows), sum: BigInt(digest) },
        lastKey: last_key === null ? undefined : (JSON.parse(last_key) as StoredRow),
      },
    ]),
  )
}

/** Begins to take notes. In a transaction with what makes the database ready to be filled. */
export const beginProgress = async (tx: Kysely<Tables>, tables: readonly StoredTable[]): Promise<void> => {
  await sql`create table ${sql.table(DATA_MOVE_TABLE)} (
    table_name text primary key not null, last_key text, rows bigint not null, digest text not null)`.execute(tx)
  for (const { name } of tables) {
    await sql`insert into ${sql.table(DATA_MOVE_TABLE)} values (${name}, null, 0, '0')`.execute(tx)
  }
}

/**
 * Notes what of a table is copied now. In the transaction that copies it.
 *
 * @throws DataMoveRefused where it is not what this move has noted before: another one copies at the same time
 */
export const saveProgress = async (tx: Kysely<Tables>, table: string, before: Copied, after: Copied): Promise<void> => {
  const lastKey = after.lastKey === undefined ? null : JSON.stringify(after.lastKey)
  const { numAffectedRows } = await sql`
    update ${sql.table(DATA_MOVE_TABLE)} set last_key = ${lastKey}, rows = ${after.digest.rows}, digest = ${String(after.digest.sum)}
    where table_name = ${table} and rows = ${before.digest.rows} and digest = ${String(before.digest.sum)}`.execute(tx)
  if (numAffectedRows !== 1n) throw new DataMoveRefused('Another move into the target is under way')
}

/** Forgets all notes: the move has ended. */
export const endProgress = async (tx: Kysely<Tables>): Promise<void> => {
  await sql`drop table ${sql.table(DATA_MOVE_TABLE)}`.execute(tx)
}
