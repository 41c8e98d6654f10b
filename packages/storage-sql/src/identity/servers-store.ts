import type { ServerStore } from '@countersign/core/storage'
import type { Database } from '../shared/database.ts'

export const serversStore = (database: Database): ServerStore => ({
  announce: async ({ id, seenAt, settings }, goneBefore) => {
    await database.write((db) =>
      db
        .insertInto('running_servers')
        .values({ id, seen_at: seenAt, settings })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: seenAt, settings })),
    )
    await database.write((db) => db.deleteFrom('running_servers').where('seen_at', '<', goneBefore))
  },

  since: (time) =>
    database.read((db) =>
      db.selectFrom('running_servers').select(['id', 'seen_at as seenAt', 'settings']).where('seen_at', '>=', time).orderBy('id'),
    ),

  forget: async (id) => {
    await database.write((db) => db.deleteFrom('running_servers').where('id', '=', id))
  },
})
