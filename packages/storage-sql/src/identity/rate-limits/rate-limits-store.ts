import {
  type Instant,
  idleFrom,
  type RateLimit,
  type RateLimitDecision,
  type RateLimitStore,
  takeFromState,
} from '@countersign/core/storage'
import type { Database } from '../../shared/database.ts'
import { inTurn } from '../../shared/in-turn.ts'
import { type KnownRows, noKnownRows } from './known-rows.ts'
import { nextRow, type RateLimitRow, readRow, replaceRow, stateOf } from './rate-limit-rows.ts'

/**
 * Stores the state of a limit as one row. The core decides from the row that this process wrote last, and a new row is written only
 * if the database still has the row of the decision, so no two requests count as one. Where another process wrote since then, the
 * row is read, and the core decides again. The requests of one process that come to the same limit at the same time share a write.
 *
 * See ADR 0005.
 */
export const rateLimitsStore = (database: Database, known: KnownRows = noKnownRows): RateLimitStore => {
  const decideTogether = inTurn<Request, RateLimitDecision>((key, requests) => decide(database, known, key, requests))
  return { take: (key, limit, now) => decideTogether(key, { limit, now }) }
}

interface Request {
  readonly limit: RateLimit
  readonly now: Instant
}

const decide = async (
  database: Database,
  known: KnownRows,
  key: string,
  requests: readonly Request[],
): Promise<readonly RateLimitDecision[]> => {
  let row = known.get(key)
  for (let isRead = false; ; isRead = true) {
    const { decisions, next } = decideInOrder(requests, row)
    // Nothing is written for a refusal, so no write would show that the known row is old.
    if (isRead || decisions.every(({ allowed }) => allowed)) {
      if (next === undefined) return decisions
      if (await replaceRow(database, key, row, next)) {
        known.set(key, next)
        return decisions
      }
    }
    row = await readRow(database, key)
  }
}

/** Decides about requests one after another, as if each had been stored alone. `next` is missing where nothing is to be stored. */
const decideInOrder = (requests: readonly Request[], row: RateLimitRow | undefined) => {
  let state = stateOf(row)
  let next: RateLimitRow | undefined
  const decisions = requests.map(({ limit, now }) => {
    const taken = takeFromState(limit, state, now)
    if (taken.next !== undefined) {
      state = taken.next
      next = nextRow(row, state, idleFrom(limit, state), now)
    }
    return taken.decision
  })
  return { decisions, next }
}
