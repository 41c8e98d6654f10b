import type { RateLimit, RateLimitDecision, RateLimitState } from '@countersign/core'
import { giveBackToState, type Instant, idleFrom, type RateLimitStore, takeFromState } from '@countersign/core/storage'
import type { Database } from '../../shared/database.ts'
import { inTurn } from '../../shared/in-turn.ts'
import { type KnownRows, nextRow, type RateLimitRow, replaceRow, rowOfKey, stateOf } from './rate-limit-rows.ts'

/**
 * Stores the state of a limit as one row, which is replaced only if the database still has the row of the decision, so no two
 * requests count as one. Otherwise the row is read, and the core decides again. The requests of one process that come to the same
 * limit at the same time share a write. See ADR 0005.
 */
export const rateLimitsStore = (database: Database, known?: KnownRows): RateLimitStore => {
  const decideTogether = inTurn<Request, RateLimitDecision | undefined>((key, requests) => decide(database, known, key, requests))
  return {
    take: async (key, limit, now) => (await decideTogether(key, { limit, now })) as RateLimitDecision,
    giveBack: async (key, limit, now) => void (await decideTogether(key, { limit, now, isGivenBack: true })),
    // From the database: other processes write too.
    read: async (key) => stateOf(await rowOfKey.first(database, { key })),
  }
}

/** A request to a limit, or the return of the request that was allowed at `now`. */
interface Request {
  readonly limit: RateLimit
  readonly now: Instant
  readonly isGivenBack?: true
}

/** Returns the decision, which is `undefined` for a return, and the state to store, if the state changes. */
const outcomeOf = ({ limit, now, isGivenBack }: Request, state: RateLimitState | undefined) =>
  isGivenBack ? { decision: undefined, next: state && giveBackToState(limit, state, now) } : takeFromState(limit, state, now)

const decide = async (
  database: Database,
  known: KnownRows | undefined,
  key: string,
  requests: readonly Request[],
): Promise<readonly (RateLimitDecision | undefined)[]> => {
  let row = known?.get(key)
  for (let isRead = false; ; isRead = true) {
    const { decisions, next, isAllWritten } = decideInOrder(requests, row)
    // Without a write, nothing would show that the known row is old. A refusal and a return of an unknown request write nothing.
    if (isRead || isAllWritten) {
      if (next === undefined) return decisions
      if (await replaceRow(database, key, row, next)) {
        known?.set(key, next)
        return decisions
      }
    }
    row = await rowOfKey.first(database, { key })
  }
}

/**
 * Decides about requests in order, as if each had been stored alone. `next` is missing if nothing is to be stored; `isAllWritten`
 * is true if each request was allowed or given back.
 */
const decideInOrder = (requests: readonly Request[], row: RateLimitRow | undefined) => {
  let state = stateOf(row)
  let next: RateLimitRow | undefined
  let isAllWritten = true
  const decisions = requests.map((request) => {
    const outcome = outcomeOf(request, state)
    isAllWritten &&= outcome.next !== undefined && outcome.decision?.allowed !== false
    if (outcome.next !== undefined) {
      state = outcome.next
      next = nextRow(row, state, idleFrom(request.limit, state), request.now)
    }
    return outcome.decision
  })
  return { decisions, next, isAllWritten }
}
