import type { Instant, LoginCeiling, LoginFailureStore, LoginSource, LoginWaits } from '@countersign/core/storage'
import { sql } from 'kysely'
import type { Database } from '../shared/database.ts'
import { preparedQuery } from '../shared/prepared-query.ts'

/** Always returns one row, even without failures. */
const stateOf = preparedQuery((db, { account, client }: LoginSource) =>
  db
    .selectFrom(sql<object>`(values (1))`.as('given'))
    .leftJoin('login_failures as of_client', (join) => join.on('of_client.account', '=', client))
    .leftJoin('login_ceilings as of_account', (join) => join.on('of_account.account', '=', account))
    .select(['of_client.count', 'of_client.last_at', 'of_client.known_until', 'of_account.full_at']),
)

interface Reserving extends LoginWaits {
  readonly client: string
  readonly now: Instant
  /** A later stored time can only come from a clock that jumped ahead, and is ignored. */
  readonly leapAt: Instant
  /** The number of further failures after which the wait no longer grows. */
  readonly doublings: number
}

/** Counts an attempt by the rule of `waitAfterFailures`. Writes no row if the client has to wait. */
const reserve = preparedQuery((db, { client, now, leapAt, free, first, longest, doublings }: Reserving) => {
  const count = sql.ref('login_failures.count')
  const wait = sql<number>`case
    when ${count} - ${free} >= ${doublings} then ${longest}
    when ${count} > ${free} then cast(${first} as bigint) << (${count} - ${free})
    else ${first}
  end`
  return db
    .insertInto('login_failures')
    .values({ account: client, count: 1, last_at: now })
    .onConflict((conflict) =>
      conflict
        .column('account')
        .doUpdateSet((the) => ({ count: the('login_failures.count', '+', 1), last_at: now }))
        .where((the) =>
          the.or([
            the('login_failures.count', '<', free),
            the(sql<number>`${sql.ref('login_failures.last_at')} + ${wait}`, '<=', now),
            the('login_failures.last_at', '>', leapAt),
          ]),
        ),
    )
})

interface Knowing {
  readonly client: string
  readonly now: Instant
  readonly knownUntil: Instant
}

const knowing = (resets: boolean) =>
  preparedQuery((db, { client, now, knownUntil }: Knowing) =>
    db
      .insertInto('login_failures')
      .values({ account: client, count: 0, last_at: now, known_until: knownUntil })
      .onConflict((conflict) =>
        conflict.column('account').doUpdateSet({ known_until: knownUntil, ...(resets && { count: 0, last_at: now }) }),
      ),
  )

const succeed = knowing(true)
const remember = knowing(false)

interface Taking {
  readonly account: string
  readonly now: Instant
  readonly refillMs: number
  /** The next time at which a currently full bucket is full again. */
  readonly fullAt: Instant
  /** The latest stored `full_at` at which the bucket still has an attempt left. */
  readonly latestFullAt: Instant
  /** A later stored time can only come from a clock that jumped ahead, and is ignored. */
  readonly leapAt: Instant
}

/** Takes one attempt by the rule of `waitForCeiling`. Writes no row if the bucket is empty. */
const takeFromCeiling = preparedQuery((db, { account, now, refillMs, fullAt, latestFullAt, leapAt }: Taking) => {
  const storedFullAt = sql.ref('login_ceilings.full_at')
  const counted = sql<number>`case
    when ${storedFullAt} > ${leapAt} or ${storedFullAt} < ${now} then ${now}
    else ${storedFullAt}
  end`
  return db
    .insertInto('login_ceilings')
    .values({ account, full_at: fullAt })
    .onConflict((conflict) =>
      conflict
        .column('account')
        .doUpdateSet({ full_at: sql<number>`${counted} + ${refillMs}` })
        .where(sql<boolean>`${counted} <= ${latestFullAt}`),
    )
})

const takingOf = (account: string, { burst, refillMs }: LoginCeiling, now: Instant): Taking => ({
  account,
  now,
  refillMs,
  fullAt: now + refillMs,
  latestFullAt: now + (burst - 1) * refillMs,
  leapAt: now + 2 * burst * refillMs,
})

export const loginFailuresStore = (database: Database): LoginFailureStore => ({
  of: async (source) => {
    const row = await stateOf.first(database, source)
    return {
      count: row?.count ?? 0,
      lastAt: row?.last_at ?? 0,
      knownUntil: row?.known_until ?? 0,
      ceilingFullAt: row?.full_at ?? 0,
    }
  },

  reserve: async (client, waits, now) => {
    const doublings = Math.ceil(Math.log2(waits.longest / waits.first))
    const reserving = { ...waits, client, now, leapAt: now + waits.longest, doublings }
    return (await reserve.affected(database, reserving)) > 0
  },

  giveBack: async (client, waits, reservedAt) => {
    // If `last_at` still has the time of the reservation, no later attempt was counted. Then it is set back by the longest delay,
    // so that the client can try again at once.
    const lastAt = sql<number>`case when last_at = ${reservedAt} then ${reservedAt - waits.longest} else last_at end`
    await database.write((db) =>
      db
        .updateTable('login_failures')
        .set((the) => ({ count: the('count', '-', 1), last_at: lastAt }))
        .where('account', '=', client)
        .where('count', '>', 0),
    )
  },

  succeed: async (client, now, knownUntil) => {
    await succeed.affected(database, { client, now, knownUntil })
  },

  remember: async (client, now, knownUntil) => {
    await remember.affected(database, { client, now, knownUntil })
  },

  takeFromCeiling: async (account, ceiling, now) =>
    (await takeFromCeiling.affected(database, takingOf(account, ceiling, now))) > 0,

  giveBackToCeiling: async (account, { refillMs }) => {
    await database.write((db) =>
      db
        .updateTable('login_ceilings')
        .set((the) => ({ full_at: the('full_at', '-', refillMs) }))
        .where('account', '=', account),
    )
  },
})
