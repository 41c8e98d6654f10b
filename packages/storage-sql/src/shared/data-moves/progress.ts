import { DataMoveRefused, type StoredRow, type StoredTable } from '@countersign/core/storage'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../tables/index.ts'
import type { DataMoveFeatures } from '../dialect-features.ts'
import { DATA_MOVE_TABLE } from '../table-place.ts'
import { type Digest, emptyDigest } from './digest.ts'

/** The copied part of a table. */
export interface Copied {
  readonly digest: Digest
  /** The key of the last copied row. */
  readonly lastKey: StoredRow | undefined
}

export const nothingCopied: Copied = { digest: emptyDigest, lastKey: undefined }

/** The copied parts, by table name. */
export type CopiedTables = ReadonlyMap<string, Copied>

export const copiedRows = (copied: CopiedTables): number =>
  [...copied.values()].reduce((total, { digest }) => total + digest.rows, 0)

interface Note {
  readonly table_name: string
  readonly last_key: string | null
  readonly rows: number | string
  readonly digest: string
}

/** Returns whether a move into this database has begun and not ended. */
export const isBeingFilled = async (db: Kysely<Tables>, features: DataMoveFeatures): Promise<boolean> =>
  (await features.columns(db)).some(({ table }) => table === DATA_MOVE_TABLE)

/** Reads the progress of a move. Returns `undefined` if no move has begun. */
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

/** Creates the table of the progress. Called in the transaction that prepares the database. */
export const beginProgress = async (tx: Kysely<Tables>, tables: readonly StoredTable[]): Promise<void> => {
  await sql`create table ${sql.table(DATA_MOVE_TABLE)} (
    table_name text primary key not null, last_key text, rows bigint not null, digest text not null)`.execute(tx)
  for (const { name } of tables) {
    await sql`insert into ${sql.table(DATA_MOVE_TABLE)} values (${name}, null, 0, '0')`.execute(tx)
  }
}

/**
 * Saves the progress of a table. Called in the transaction that copies the rows.
 *
 * @throws DataMoveRefused if another move has saved its progress meanwhile
 */
export const saveProgress = async (tx: Kysely<Tables>, table: string, before: Copied, after: Copied): Promise<void> => {
  const lastKey = after.lastKey === undefined ? null : JSON.stringify(after.lastKey)
  const { numAffectedRows } = await sql`
    update ${sql.table(DATA_MOVE_TABLE)} set last_key = ${lastKey}, rows = ${after.digest.rows}, digest = ${String(after.digest.sum)}
    where table_name = ${table} and rows = ${before.digest.rows} and digest = ${String(before.digest.sum)}`.execute(tx)
  if (numAffectedRows !== 1n) throw new DataMoveRefused('Another move into the target is under way')
}

/** Drops the table of the progress when the move ends. */
export const endProgress = async (tx: Kysely<Tables>): Promise<void> => {
  await sql`drop table ${sql.table(DATA_MOVE_TABLE)}`.execute(tx)
}
