import type { SecretStore } from '@countersign/core/storage'
import type { Database } from '../shared/database.ts'

export const secretsStore = (database: Database): SecretStore => ({
  keepFirst: async (id, fresh) => {
    const [known] = await database.read((db) => db.selectFrom('secrets').select('secret').where('id', '=', id))
    if (known !== undefined) return known.secret
    const row = await database.write((db) =>
      db
        .insertInto('secrets')
        .values({ id, secret: fresh })
        // Changes nothing, but makes `returning` include an existing row.
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ id }))
        .returning('secret')
        .executeTakeFirstOrThrow(),
    )
    return row.secret
  },
})
