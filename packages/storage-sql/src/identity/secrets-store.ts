import type { SecretStore } from '@countersign/core/storage'
import type { Database } from '../shared/database.ts'

export const secretsStore = (database: Database): SecretStore => ({
  byId: async (id) => {
    const row = await database.read((db) => db.selectFrom('secrets').select('secret').where('id', '=', id).executeTakeFirst())
    return row?.secret
  },

  keepFirst: async (id, secret) => {
    const row = await database.write((db) =>
      db
        .insertInto('secrets')
        .values({ id, secret })
        // Changes nothing, but makes `returning` include an existing row.
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ id }))
        .returning('secret')
        .executeTakeFirstOrThrow(),
    )
    return row.secret
  },
})
