import type { CodeUse, OneTimeCode, OneTimeCodeStore } from '@countersign/core/storage'
import type { Selectable } from 'kysely'
import { type Database, readAll, readFirst } from '../shared/database.ts'
import { preparedQuery, rowOf } from '../shared/prepared-query.ts'
import { recordMapping } from '../shared/record-mapping.ts'
import type { OneTimeCodesTable } from '../tables/index.ts'

const mapping = recordMapping('userId kind hash createdAt expiresAt')
const { columns } = mapping

type Row = Selectable<OneTimeCodesTable>
const toCode = (row: Row): OneTimeCode => mapping.toRecord(row)

const issue = preparedQuery((db, row: Row) =>
  db
    .insertInto('one_time_codes')
    .values(rowOf(row, columns))
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'kind']).doUpdateSet((the) => ({
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

const voidAllOfUser = preparedQuery((db, { userId }: Pick<CodeUse, 'userId'>) =>
  db.deleteFrom('one_time_codes').where('user_id', '=', userId),
)

export const oneTimeCodesStore = (database: Database): OneTimeCodeStore => ({
  issue: async (code) => {
    await database.write((db) => issue.affected(db, mapping.toRow(code)))
  },

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

  voidAllOfUser: (userId) => database.write((db) => voidAllOfUser.affected(db, { userId })),
})
