import type { LoginFailureStore } from '@countersign/core'
import type { Database } from '../database.ts'
import { keptQuery } from '../kept-query.ts'

const ofAccount = keptQuery((db, { account }: { readonly account: string }) =>
  db.selectFrom('login_failures').select(['count', 'last_at']).where('account', '=', account),
)

export const loginFailuresStore = (database: Database): LoginFailureStore => ({
  of: async (account) => {
    const row = await database.read((db) => ofAccount.first(db, { account }))
    return row && { count: row.count, lastAt: row.last_at }
  },

  add: async (account, now) => {
    await database.write((db) =>
      db
        .insertInto('login_failures')
        .values({ account, count: 1, last_at: now })
        .onConflict((conflict) =>
          conflict.column('account').doUpdateSet((the) => ({ count: the('login_failures.count', '+', 1), last_at: now })),
        )
        .execute(),
    )
  },

  clear: async (account) => {
    await database.write((db) => db.deleteFrom('login_failures').where('account', '=', account).execute())
  },
})
