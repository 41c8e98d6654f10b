import type { ServerStore } from '@countersign/core/storage'
import type { Database } from '../shared/database.ts'

export const serversStore = (database: Database): ServerStore => ({
  announce: async ({ id, seenAt, settings }, goneBefore) => {
    await database.write((db) =>
      db
        .insertInto('running_servers')
        .values({ id, seen_at: seenAt, settings })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: seenAt, settings }))
        .execute(),
    )
    await database.write((db) => db.deleteFrom('running_servers').where('seen_at', '<', goneBefore).execute())
  },

  since: async (time) => {
    const rows = await database.read((db) =>
      db.selectFrom('running_servers').selectAll().where('seen_at', '>=', time).orderBy('id').execute(),
    )
    return rows.map(({ id, seen_at, settings }) => ({ id, seenAt: seen_at, settings }))
  },

  forget: async (id) => {
    await database.write((db) => db.deleteFrom('running_servers').where('id', '=', id).execute())
  },
})
