import type { CodeUse, OneTimeCode, OneTimeCodeStore } from '@countersign/core/storage'
import type { Selectable } from 'kysely'
import { countWritten, type Database, readAll, readFirst } from '../shared/database.ts'
import type { DialectFeatures } from '../shared/dialect-features.ts'
import { preparedQuery, rowOf } from '../shared/prepared-query.ts'
import { recordMapping } from '../shared/record-mapping.ts'
import type { OneTimeCodesTable } from '../tables/index.ts'
import { lockUser } from './users/lock-user.ts'

const mapping = recordMapping('userId kind hash createdAt expiresAt')
const { columns } = mapping

type Row = Selectable<OneTimeCodesTable>
const toCode = (row: Omit<Row, 'slot'>): OneTimeCode => mapping.toRecord(row)

const issue = preparedQuery((db, row: Row) =>
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

const byHash = preparedQuery((db, { hash }: Pick<CodeUse, 'hash'>) =>
  db.selectFrom('one_time_codes').select(columns).where('hash', '=', hash),
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

export const oneTimeCodesStore = (database: Database, features: DialectFeatures): OneTimeCodeStore => ({
  issue: async (code) => {
    await database.write((db) => issue.affected(db, { ...mapping.toRow(code), slot: 0 }))
  },

  issueForgot: (code, most) =>
    database.transaction(async (tx) => {
      const { userId, kind, createdAt: now } = code
      await lockUser(tx, features, userId)
      const taken = (await tx.read((db) => takenSlots.all(db, { userId, kind, now }))).map((row) => row.slot)
      let slot = 0
      while (taken.includes(slot)) slot += 1
      if (slot >= most) return false
      await tx.write((db) => issue.affected(db, { ...mapping.toRow(code), slot }))
      return true
    }),

  byHash: (hash) => readFirst(database, toCode, (db) => byHash.first(db, { hash })),

  spend: async (use) => (await database.write((db) => spend.affected(db, use))) > 0,

  allOfUser: (userId) =>
    readAll(database, toCode, (db) =>
      db
        .selectFrom('one_time_codes')
        .select(columns)
        .where('user_id', '=', userId)
        .orderBy('created_at')
        .orderBy('kind')
        .execute(),
    ),

  voidAllOfUser: (userId, kind) =>
    countWritten(database, (db) =>
      db
        .deleteFrom('one_time_codes')
        .where('user_id', '=', userId)
        .$if(kind !== undefined, (codes) => codes.where('kind', '=', kind ?? 'forgot')),
    ),
})
