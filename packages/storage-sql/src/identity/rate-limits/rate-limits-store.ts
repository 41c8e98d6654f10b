import {
  type Instant,
  idleFrom,
  type RateLimit,
  type RateLimitDecision,
  type RateLimitState,
  type RateLimitStore,
  takeFromState,
} from '@countersign/core/storage'
import type { Database } from '../../shared/database.ts'
import { inTurn } from '../../shared/in-turn.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'

/**
 * Stores the state of a limit as one row. A request reads the row, and the core decides. The row is written only if it still has
 * the version that was read, so no two requests count as one; otherwise the request reads again. A refused request writes
 * nothing. The requests of one process that come to the same limit at the same time share a read and a write.
 */
export const rateLimitsStore = (database: Database): RateLimitStore => {
  const decideTogether = inTurn<Request, RateLimitDecision>((key, requests) => decide(database, key, requests))
  return { take: (key, limit, now) => decideTogether(key, { limit, now }) }
}

interface Request {
  readonly limit: RateLimit
  readonly now: Instant
}

/** Decides about requests one after another, as if each had been stored alone. */
const decide = async (database: Database, key: string, requests: readonly Request[]): Promise<readonly RateLimitDecision[]> => {
  for (;;) {
    const stored = await database.read((db) => rowOf.first(db, { key }))
    let state = stored && toState(stored)
    let idleAt: Instant | undefined
    const decisions = requests.map(({ limit, now }) => {
      const { decision, next } = takeFromState(limit, state, now)
      if (next !== undefined) {
        state = next
        idleAt = idleFrom(limit, next)
      }
      return decision
    })
    if (state === undefined || idleAt === undefined) return decisions
    if (await isStored(database, { key, state, stored, idleAt })) return decisions
  }
}

interface StoredRow {
  readonly full_at: number
  readonly allowed_at: string
  readonly version: number
  readonly idle_at: number
}

const toState = ({ full_at: fullAt, allowed_at: allowedAt }: StoredRow): RateLimitState => ({
  fullAt,
  allowedAt: JSON.parse(allowedAt) as Instant[],
})

const rowOf = preparedQuery((db, { key }: { readonly key: string }) =>
  db.selectFrom('rate_limit_states').select(['full_at', 'allowed_at', 'version', 'idle_at']).where('key', '=', key),
)

interface FirstState {
  readonly key: string
  readonly fullAt: Instant
  readonly allowedAt: string
  readonly idleAt: Instant
}

interface NextState extends FirstState {
  /** The version that was read. */
  readonly version: number
}

const insertRow = preparedQuery((db, { key, fullAt, allowedAt, idleAt }: FirstState) =>
  db
    .insertInto('rate_limit_states')
    .values({ key, full_at: fullAt, allowed_at: allowedAt, idle_at: idleAt, version: 0 })
    .onConflict((conflict) => conflict.column('key').doNothing()),
)

const updateRow = preparedQuery((db, { key, fullAt, allowedAt, version }: Omit<NextState, 'idleAt'>) =>
  db
    .updateTable('rate_limit_states')
    .set((the) => ({ full_at: fullAt, allowed_at: allowedAt, version: the('version', '+', 1) }))
    .where('key', '=', key)
    .where('version', '=', version),
)

const updateRowAndIndex = preparedQuery((db, { key, fullAt, allowedAt, idleAt, version }: NextState) =>
  db
    .updateTable('rate_limit_states')
    .set((the) => ({ full_at: fullAt, allowed_at: allowedAt, idle_at: idleAt, version: the('version', '+', 1) }))
    .where('key', '=', key)
    .where('version', '=', version),
)

interface Storing {
  readonly key: string
  readonly state: RateLimitState
  readonly stored: StoredRow | undefined
  readonly idleAt: Instant
}

/** Milliseconds by which `idle_at` is stored too late. The column is indexed, so changing it costs as much as all the rest. */
const IDLE_LATER = 3_600_000

/** Writes the next state, if nobody wrote since `stored` was read. */
const isStored = async (database: Database, { key, state, stored, idleAt }: Storing): Promise<boolean> => {
  const { fullAt } = state
  const allowedAt = JSON.stringify(state.allowedAt)
  const later = idleAt + IDLE_LATER
  const written = await database.writeBatched({
    key,
    statement: (db) => {
      if (stored === undefined) return insertRow.statement(db, { key, fullAt, allowedAt, idleAt: later })
      const { version } = stored
      if (stored.idle_at >= idleAt) return updateRow.statement(db, { key, fullAt, allowedAt, version })
      return updateRowAndIndex.statement(db, { key, fullAt, allowedAt, idleAt: later, version })
    },
  })
  return written > 0
}
