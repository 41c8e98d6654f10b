import type { CodeUse, OneTimeCodeStore } from '@countersign/core/storage'
import { countWritten, type Database, readAll } from '../shared/database.ts'
import { preparedQuery, rowOf } from '../shared/prepared-query.ts'
import { recordMapping } from '../shared/record-mapping.ts'
import type { Row } from '../tables/index.ts'
import { lockUser } from './users/lock-user.ts'

const { columns, toRecord: toCode, toRow } = recordMapping('one_time_codes', 'userId kind hash createdAt expiresAt')

const issue = preparedQuery((db, row: Row<'one_time_codes'>) =>
  db
    .insertInto('one_time_codes')
    .values(rowOf(row, [...columns, 'slot']))
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'kind', 'slot']).doUpdateSet((the) => ({
        hash: the.ref('excluded.hash'),
        created_at: the.ref('excluded.created_at'),
        expires_at: the.ref('excluded.expires_at'),
      })),
    ),
)

const byHash = preparedQuery(
  (db, { hash }: Pick<CodeUse, 'hash'>) => db.selectFrom('one_time_codes').select(columns).where('hash', '=', hash),
  toCode,
)

/** Deletes the row. The number of deleted rows decides who spent the code. */
const spend = preparedQuery((db, { hash, kind, userId, now }: CodeUse) =>
  db
    .deleteFrom('one_time_codes')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('hash', '=', hash)
    .where('expires_at', '>', now),
)

const takenSlots = preparedQuery((db, { userId, kind, now }: Pick<CodeUse, 'userId' | 'kind' | 'now'>) =>
  db
    .selectFrom('one_time_codes')
    .select('slot')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('expires_at', '>', now),
)

export const oneTimeCodesStore = (database: Database): OneTimeCodeStore => ({
  issue: async (code) => {
    await issue.affected(database, { ...toRow(code), slot: 0 })
  },

  issueForgot: (code, most) =>
    database.transaction(async (tx) => {
      const { userId, kind, createdAt: now } = code
      await lockUser(tx, userId)
      const taken = (await takenSlots.all(tx, { userId, kind, now })).map((row) => row.slot)
      let slot = 0
      while (taken.includes(slot)) slot += 1
      if (slot >= most) return false
      await issue.affected(tx, { ...toRow(code), slot })
      return true
    }),

  byHash: (hash) => byHash.first(database, { hash }),

  spend: async (use) => (await spend.affected(database, use)) > 0,

  allOfUser: (userId) =>
    readAll(database, toCode, (db) =>
      db.selectFrom('one_time_codes').select(columns).where('user_id', '=', userId).orderBy('created_at').orderBy('kind'),
    ),

  voidAllOfUser: (userId, kind) =>
    countWritten(database, (db) =>
      db
        .deleteFrom('one_time_codes')
        .where('user_id', '=', userId)
        .$if(kind !== undefined, (codes) => codes.where('kind', '=', kind ?? 'forgot')),
    ),
})
