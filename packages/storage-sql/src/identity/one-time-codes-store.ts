import type { CodeUse, OneTimeCode, OneTimeCodeStore } from '@countersign/core/storage'
import type { Selectable } from 'kysely'
import type { Database } from '../shared/database.ts'
import { preparedQuery, rowOf } from '../shared/prepared-query.ts'
import type { OneTimeCodesTable } from '../tables/index.ts'

const columns = ['user_id', 'kind', 'hash', 'created_at', 'expires_at'] as const satisfies readonly (keyof OneTimeCodesTable)[]

type Row = Selectable<OneTimeCodesTable>

const toOneTimeCode = (row: Row): OneTimeCode => ({
  userId: row.user_id,
  kind: row.kind,
  hash: row.hash,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

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

const byHash = preparedQuery((db, { hash, now }: Pick<CodeUse, 'hash' | 'now'>) =>
  db.selectFrom('one_time_codes').select(columns).where('hash', '=', hash).where('expires_at', '>', now),
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
    await database.write((db) =>
      issue.affected(db, {
        user_id: code.userId,
        kind: code.kind,
        hash: code.hash,
        created_at: code.createdAt,
        expires_at: code.expiresAt,
      }),
    )
  },

  byHash: async (hash, now) => {
    const row = await database.read((db) => byHash.first(db, { hash, now }))
    return row && toOneTimeCode(row)
  },

  spend: async (use) => (await database.write((db) => spend.affected(db, use))) > 0,

  allOfUser: async (userId) => {
    const rows = await database.read((db) =>
      db
        .selectFrom('one_time_codes')
        .select(columns)
        .where('user_id', '=', userId)
        .orderBy('created_at')
        .orderBy('kind')
        .execute(),
    )
    return rows.map(toOneTimeCode)
  },

  voidAllOfUser: (userId) => database.write((db) => voidAllOfUser.affected(db, { userId })),
})
