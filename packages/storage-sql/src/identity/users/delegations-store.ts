import type { DelegationKey, DelegationStore } from '@countersign/core/storage'
import type { Kysely } from 'kysely'
import { type Database, didWrite, finds, readAll } from '../../shared/database.ts'
import { recordMapping } from '../../shared/record-mapping.ts'
import type { Tables } from '../../tables/index.ts'

const { toRecord, toRow } = recordMapping('delegations', 'from=from_user to=to_user permission until=until_at createdAt')

const running = (db: Kysely<Tables>, now: number) =>
  db
    .selectFrom('delegations')
    .selectAll()
    .where('until_at', '>', now)
    .orderBy('from_user')
    .orderBy('to_user')
    .orderBy('permission')

const toKey = ({ from, to, permission }: DelegationKey) => ({ from_user: from, to_user: to, permission })

export const delegationsStore = (database: Database): DelegationStore => ({
  put: async (delegation) => {
    const times = { until_at: delegation.until, created_at: delegation.createdAt }
    await database.write((db) =>
      db
        .insertInto('delegations')
        .values(toRow(delegation))
        .onConflict((conflict) => conflict.columns(['from_user', 'to_user', 'permission']).doUpdateSet(times)),
    )
  },

  end: (key) => didWrite(database, (db) => db.deleteFrom('delegations').where((the) => the.and(toKey(key)))),

  running: (query, now) =>
    readAll(database, toRecord, (db) =>
      'userId' in query
        ? running(db, now).where((the) => the.or([the('from_user', '=', query.userId), the('to_user', '=', query.userId)]))
        : running(db, now).where('permission', 'in', query.permissions).limit(query.limit),
    ),

  hold: (key, now) => finds(database, (db) => database.locks.lockForShare(running(db, now).where((the) => the.and(toKey(key))))),
})
