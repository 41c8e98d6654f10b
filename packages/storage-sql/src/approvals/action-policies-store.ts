import type { ActionPolicyStore, StoredActionPolicy } from '@countersign/core/storage'
import type { Selectable } from 'kysely'
import type { Database } from '../shared/database.ts'
import type { ActionPoliciesTable } from '../tables/index.ts'

const toPolicy = ({ action_type: actionType, permission, count }: Selectable<ActionPoliciesTable>): StoredActionPolicy => ({
  actionType,
  permission,
  count,
})

export const actionPoliciesStore = (database: Database): ActionPolicyStore => ({
  put: async ({ actionType, permission, count }) => {
    await database.write((db) =>
      db
        .insertInto('action_policies')
        .values({ action_type: actionType, permission, count })
        .onConflict((conflict) => conflict.column('action_type').doUpdateSet({ permission, count }))
        .execute(),
    )
  },

  ofType: async (actionType) => {
    const row = await database.read((db) =>
      db.selectFrom('action_policies').selectAll().where('action_type', '=', actionType).executeTakeFirst(),
    )
    return row && toPolicy(row)
  },

  all: async () => {
    const rows = await database.read((db) => db.selectFrom('action_policies').selectAll().orderBy('action_type').execute())
    return rows.map(toPolicy)
  },

  remove: async (actionType) => {
    const { numDeletedRows } = await database.write((db) =>
      db.deleteFrom('action_policies').where('action_type', '=', actionType).executeTakeFirstOrThrow(),
    )
    return numDeletedRows > 0n
  },
})
