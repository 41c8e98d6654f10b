import type { RateLimitState } from '@countersign/core'
import type { Instant } from '@countersign/core/storage'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../shared/database.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'
import type { Row } from '../../tables/index.ts'

/** The state of a limit for one key. */
export type RateLimitRow = Omit<Row<'rate_limit_states'>, 'key'>

/** Milliseconds by which `idle_at` is stored too late, so that it changes rarely: a change of this indexed column is costly. */
const IDLE_LATER = 3_600_000

/** Returns the state in a row; `undefined` for a row that does not exist. */
export const stateOf = (row: RateLimitRow | undefined): RateLimitState | undefined =>
  row && { fullAt: row.full_at, allowedAt: JSON.parse(row.allowed_at) as Instant[] }

/** Returns the row that replaces a row, and that may be deleted at `idleAt` at the earliest. */
export const nextRow = (
  row: RateLimitRow | undefined,
  { fullAt, allowedAt }: RateLimitState,
  idleAt: Instant,
  now: Instant,
): RateLimitRow => ({
  full_at: fullAt,
  allowed_at: JSON.stringify(allowedAt),
  version: row === undefined ? now : row.version + 1,
  idle_at: row !== undefined && row.idle_at >= idleAt ? row.idle_at : idleAt + IDLE_LATER,
})

export const rowOfKey = preparedQuery((db, { key }: { readonly key: string }) =>
  db.selectFrom('rate_limit_states').select(['full_at', 'allowed_at', 'version', 'idle_at']).where('key', '=', key),
)

type NewRow = RateLimitRow & { readonly key: string }
/** `from` is the version of the row that the new one follows. */
type ChangedRow = NewRow & { readonly from: number }

const insertRow = preparedQuery((db, { key, full_at, allowed_at, version, idle_at }: NewRow) =>
  db
    .insertInto('rate_limit_states')
    .values({ key, full_at, allowed_at, version, idle_at })
    .onConflict((conflict) => conflict.column('key').doNothing()),
)

const updateRow = preparedQuery((db, { key, full_at, allowed_at, version, from }: Omit<ChangedRow, 'idle_at'>) =>
  db.updateTable('rate_limit_states').set({ full_at, allowed_at, version }).where('key', '=', key).where('version', '=', from),
)

const updateRowAndIndex = preparedQuery((db, { key, full_at, allowed_at, version, idle_at, from }: ChangedRow) =>
  db
    .updateTable('rate_limit_states')
    .set({ full_at, allowed_at, version, idle_at })
    .where('key', '=', key)
    .where('version', '=', from),
)

/** Replaces a row, or `undefined` for none, by its next state. Returns `false`, and writes nothing, if the database has another. */
export const replaceRow = async (
  database: Database,
  key: string,
  row: RateLimitRow | undefined,
  next: RateLimitRow,
): Promise<boolean> => {
  const update = row?.idle_at === next.idle_at ? updateRow : updateRowAndIndex
  const statement =
    row === undefined ? insertRow.statement({ key, ...next }) : update.statement({ key, ...next, from: row.version })
  return (await database.writeBatched({ key, statement })) > 0
}

/**
 * The rows that this process wrote last, which save most reads. A write that expects an outdated row has no effect. A transaction
 * remembers no rows, because it may be rolled back.
 */
export type KnownRows = LRUCache<string, RateLimitRow>

/** The greatest length of all known rows together, in characters: enough for 20,000 callers who sent a few requests. */
const MOST_CHARACTERS = 4_000_000
/** The memory that a row needs in addition to its texts, as characters. */
const OVERHEAD = 100

export const createKnownRows = (): KnownRows =>
  new LRUCache({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ allowed_at }, key) => OVERHEAD + key.length + allowed_at.length,
  })
