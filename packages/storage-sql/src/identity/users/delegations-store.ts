import type { Delegation, DelegationKey, DelegationStore } from '@countersign/core/storage'
import type { Kysely, Selectable } from 'kysely'
import type { Database } from '../../shared/database.ts'
import type { DialectFeatures } from '../../shared/dialect-features.ts'
import type { DelegationsTable, Tables } from '../../tables/index.ts'

const toDelegation = (row: Selectable<DelegationsTable>): Delegation => ({
  from: row.from_user,
  to: row.to_user,
  permission: row.permission,
  until: row.until_at,
  createdAt: row.created_at,
})

const running = (db: Kysely<Tables>, now: number) =>
  db
    .selectFrom('delegations')
    .selectAll()
    .where('until_at', '>', now)
    .orderBy('from_user')
    .orderBy('to_user')
    .orderBy('permission')

const toKey = ({ from, to, permission }: DelegationKey) => ({ from_user: from, to_user: to, permission })

export const delegationsStore = (database: Database, { lockForShare }: DialectFeatures): DelegationStore => ({
  put: async ({ until, createdAt, ...key }) => {
    const times = { until_at: until, created_at: createdAt }
    await database.write((db) =>
      db
        .insertInto('delegations')
        .values({ ...toKey(key), ...times })
        .onConflict((conflict) => conflict.columns(['from_user', 'to_user', 'permission']).doUpdateSet(times))
        .execute(),
    )
  },

  end: async (key) => {
    const { numDeletedRows } = await database.write((db) =>
      db
        .deleteFrom('delegations')
        .where((the) => the.and(toKey(key)))
        .executeTakeFirstOrThrow(),
    )
    return numDeletedRows > 0n
  },

  ofUser: async (userId, now) => {
    const rows = await database.read((db) =>
      running(db, now)
        .where((the) => the.or([the('from_user', '=', userId), the('to_user', '=', userId)]))
        .execute(),
    )
    return rows.map(toDelegation)
  },

  ofPermissions: async (permissions, now, limit) => {
    const rows = await database.read((db) => running(db, now).where('permission', 'in', permissions).limit(limit).execute())
    return rows.map(toDelegation)
  },

  hold: async (key, now) => {
    const row = await database.read((db) => lockForShare(running(db, now).where((the) => the.and(toKey(key)))).executeTakeFirst())
    return row !== undefined
  },

  deleteAllOfUser: async (userId) => {
    await database.write((db) =>
      db
        .deleteFrom('delegations')
        .where((the) => the.or([the('from_user', '=', userId), the('to_user', '=', userId)]))
        .execute(),
    )
  },
})
