import type { Instant, LoginFailureStore, LoginWaits } from '@countersign/core'
import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { keptQuery } from '../kept-query.ts'

const ofAccount = keptQuery((db, { account }: { readonly account: string }) =>
  db.selectFrom('login_failures').select(['count', 'last_at']).where('account', '=', account).where('count', '>', 0),
)

interface Reserving extends LoginWaits {
  readonly account: string
  readonly now: Instant
  /** After this many failures more than are free, the wait is the longest. */
  readonly doublings: number
}

/** Adds one by the arithmetic of `waitAfterFailures`; where the account has to wait, there is no row to write. */
const reserve = keptQuery((db, { account, now, free, first, longest, doublings }: Reserving) => {
  const wait = sql<number>`case
    when login_failures.count - ${free} >= ${doublings} then ${longest}
    when login_failures.count > ${free} then cast(${first} as bigint) << (login_failures.count - ${free})
    else ${first}
  end`
  return db
    .insertInto('login_failures')
    .values({ account, count: 1, last_at: now })
    .onConflict((conflict) =>
      conflict
        .column('account')
        .doUpdateSet((the) => ({ count: the('login_failures.count', '+', 1), last_at: now }))
        .where((the) =>
          the.or([the('login_failures.count', '<', free), the(sql<number>`login_failures.last_at + ${wait}`, '<=', now)]),
        ),
    )
})

const clear = keptQuery((db, { account }: { readonly account: string }) =>
  db.deleteFrom('login_failures').where('account', '=', account),
)

export const loginFailuresStore = (database: Database): LoginFailureStore => ({
  of: async (account) => {
    const row = await database.read((db) => ofAccount.first(db, { account }))
    return row && { count: row.count, lastAt: row.last_at }
  },

  reserve: async (account, waits, now) => {
    const doublings = Math.ceil(Math.log2(waits.longest / waits.first))
    return (await database.write((db) => reserve.affected(db, { ...waits, account, now, doublings }))) > 0
  },

  giveBack: async (account, waits, reservedAt) => {
    // While the time is still that of the reservation, no other was made since; any time so long ago leaves the account free.
    const lastAt = sql<number>`case when last_at = ${reservedAt} then ${reservedAt - waits.longest} else last_at end`
    await database.write((db) =>
      db
        .updateTable('login_failures')
        .set((the) => ({ count: the('count', '-', 1), last_at: lastAt }))
        .where('account', '=', account)
        .where('count', '>', 0)
        .execute(),
    )
  },

  clear: async (account) => {
    await database.write((db) => clear.affected(db, { account }))
  },
})
