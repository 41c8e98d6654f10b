import {
  bucketCapacityMs,
  currentFullAt,
  decideRateLimit,
  type Instant,
  type RateLimit,
  type RateLimitDecision,
  type RateLimitStore,
} from '@countersign/core/storage'
import { sql } from 'kysely'
import type { Database } from '../../shared/database.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'

/**
 * Stores a bucket as one row, and its window of requests as a ring of rows. The n-th allowed request is written to slot n modulo
 * `windowMax`. The slot to be overwritten therefore holds the request exactly `windowMax` ago, and no decision reads more than
 * one slot. If the limit is changed, the ring keeps its old order until it has been filled once.
 *
 * Two conditional statements decide. The first takes from the bucket and locks its row. The second writes the ring, and sees
 * every earlier request because of the lock. If only the first one succeeds, its effect is undone in the same transaction.
 *
 * A read before them recognises requests that are refused anyway. Such a request writes nothing and does not wait for the lock,
 * so a crowd of them costs one read each.
 */
export const rateLimitsStore = (database: Database): RateLimitStore => ({
  take: async (key, limit, now) => (await refusalOf(database, key, limit, now)) ?? takeInTurn(database, key, limit, now),
})

const takeInTurn = (database: Database, key: string, limit: RateLimit, now: Instant): Promise<RateLimitDecision> =>
  database.transaction(async (tx) => {
    const taken = await takeFromBucket(tx, key, limit, now)
    if (taken === undefined) return readDecision(tx, key, limit, now)
    const { fullAtBefore, slot } = taken
    const counted = currentFullAt(limit, fullAtBefore, now)
    if (counted < fullAtBefore) await forgetLeap(tx, key, limit, now)
    if (await enterRing(tx, key, slot, limit, now)) return decideRateLimit(limit, fullAtBefore, undefined, now)
    await putBack(tx, key, Math.min(counted, fullAtBefore))
    return decideRateLimit(limit, fullAtBefore, await readSlot(tx, key, slot), now)
  })

const bucketOf = preparedQuery((db, { key, windowMax }: { readonly key: string; readonly windowMax: number }) =>
  db
    .selectFrom('rate_limits')
    .leftJoin('rate_limit_hits as hits', (join) =>
      join
        .onRef('hits.key', '=', 'rate_limits.key')
        .on('hits.slot', '=', sql<number>`${sql.ref('rate_limits.taken')} % ${windowMax}`),
    )
    .select(['rate_limits.full_at', 'hits.at'])
    .where('rate_limits.key', '=', key),
)

/** Reads the bucket and the slot that decide about the next request. */
const readBucket = (database: Database, key: string, { windowMax }: RateLimit) =>
  database.read((db) => bucketOf.first(db, { key, windowMax }))

/**
 * Returns the refusal, if the stored state refuses the request. A clock jump is left to the transaction, which removes its
 * traces.
 */
const refusalOf = async (database: Database, key: string, limit: RateLimit, now: Instant) => {
  const stood = await readBucket(database, key, limit)
  if (stood === undefined || currentFullAt(limit, stood.full_at, now) < stood.full_at) return undefined
  const decision = decideRateLimit(limit, stood.full_at, stood.at ?? undefined, now)
  return decision.allowed ? undefined : decision
}

interface Taking {
  readonly key: string
  readonly now: Instant
  readonly refillMs: number
  /** The next time at which a currently full bucket is full again. */
  readonly fullAt: Instant
  /** The latest stored `full_at` at which the bucket still has a request left. */
  readonly latestFullAt: Instant
  /** A later stored time can only come from a clock that jumped ahead, and is ignored. */
  readonly leapAt: Instant
  readonly idleAt: Instant
}

const takeOne = preparedQuery((db, { key, now, refillMs, fullAt, latestFullAt, leapAt, idleAt }: Taking) => {
  const storedFullAt = sql.ref('rate_limits.full_at')
  const counted = sql<number>`case
    when ${storedFullAt} > ${leapAt} or ${storedFullAt} < ${now} then ${now}
    else ${storedFullAt}
  end`
  return db
    .insertInto('rate_limits')
    .values({ key, full_at: fullAt, full_at_before: now, taken: 1, idle_at: idleAt })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((the) => ({
          full_at: sql<number>`${counted} + ${refillMs}`,
          full_at_before: the.ref('rate_limits.full_at'),
          taken: the('rate_limits.taken', '+', 1),
          idle_at: idleAt,
        }))
        .where(sql<boolean>`${counted} <= ${latestFullAt}`),
    )
    .returning(['taken', 'full_at_before'])
})

/** Takes one where the bucket holds one, by the arithmetic of `decideRateLimit`. */
const takeFromBucket = async (tx: Database, key: string, limit: RateLimit, now: Instant) => {
  const capacity = bucketCapacityMs(limit)
  const { refillMs, windowMs } = limit
  const row = await tx.write((db) =>
    takeOne.first(db, {
      key,
      now,
      refillMs,
      fullAt: now + refillMs,
      latestFullAt: now + capacity - refillMs,
      leapAt: now + capacity + windowMs,
      idleAt: now + Math.max(capacity, windowMs),
    }),
  )
  return row && { fullAtBefore: row.full_at_before, slot: (row.taken - 1) % limit.windowMax }
}

/** Deletes requests that a jumping clock has stored in the far future, before the real time reaches them. */
const forgetLeap = async (tx: Database, key: string, limit: RateLimit, now: Instant): Promise<void> => {
  await tx.write((db) =>
    db
      .deleteFrom('rate_limit_hits')
      .where('key', '=', key)
      .where('at', '>', now + limit.windowMs)
      .execute(),
  )
}

interface Entering {
  readonly key: string
  readonly slot: number
  readonly now: Instant
  /** A stored request at or before this time has left the window. */
  readonly overAt: Instant
  readonly leapAt: Instant
}

const enter = preparedQuery((db, { key, slot, now, overAt, leapAt }: Entering) =>
  db
    .insertInto('rate_limit_hits')
    .values({ key, slot, at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['key', 'slot'])
        .doUpdateSet({ at: now })
        .where((the) => the.or([the('rate_limit_hits.at', '<=', overAt), the('rate_limit_hits.at', '>', leapAt)])),
    ),
)

/** Overwrites the request `windowMax` ago with this one, if the old one has left the window. */
const enterRing = async (tx: Database, key: string, slot: number, { windowMs }: RateLimit, now: Instant): Promise<boolean> => {
  const entering = { key, slot, now, overAt: now - windowMs, leapAt: now + windowMs }
  return (await tx.write((db) => enter.affected(db, entering))) > 0
}

const putBack = async (tx: Database, key: string, fullAt: Instant): Promise<void> => {
  await tx.write((db) =>
    db
      .updateTable('rate_limits')
      .set((the) => ({ full_at: fullAt, taken: the('taken', '-', 1) }))
      .where('key', '=', key)
      .execute(),
  )
}

const readSlot = async (tx: Database, key: string, slot: number): Promise<Instant | undefined> => {
  const hit = await tx.read((db) =>
    db.selectFrom('rate_limit_hits').select('at').where('key', '=', key).where('slot', '=', slot).executeTakeFirst(),
  )
  return hit?.at
}

/** Returns the decision for the refused request, with the time to wait. */
const readDecision = async (tx: Database, key: string, limit: RateLimit, now: Instant): Promise<RateLimitDecision> => {
  const stood = await readBucket(tx, key, limit)
  if (stood === undefined) throw new Error('The row of a rate limit is gone while it is held')
  return decideRateLimit(limit, stood.full_at, stood.at ?? undefined, now)
}
