import type { ActionPolicy, ActionPolicyStore } from '@countersign/core/storage'
import type { Kysely } from 'kysely'
import { type Database, didWrite, readAll, readFirst } from '../shared/database.ts'
import type { Row, Tables } from '../tables/index.ts'

const toPolicy = ({ action_type: actionType, tenant, version, bands }: Row<'action_policies'>): ActionPolicy => ({
  actionType,
  tenant: tenant === '' ? null : tenant,
  version,
  bands: JSON.parse(bands ?? '[]') as ActionPolicy['bands'],
})

/** The policies that were not removed. */
const policies = (db: Kysely<Tables>) => db.selectFrom('action_policies').selectAll().where('bands', 'is not', null)

export const actionPoliciesStore = (database: Database): ActionPolicyStore => ({
  put: async ({ actionType, tenant, bands: given }, relabels) => {
    const bands = JSON.stringify(given)
    const former = relabels === undefined ? null : JSON.stringify(relabels)
    const { version } = await database.write((db) =>
      db
        .insertInto('action_policies')
        .values({ action_type: actionType, tenant: tenant ?? '', version: 1, bands })
        .onConflict((conflict) =>
          conflict.columns(['action_type', 'tenant']).doUpdateSet((the) => ({
            bands,
            version: the
              .case()
              .when('action_policies.bands', '=', former)
              .then(the.ref('action_policies.version'))
              .else(the('action_policies.version', '+', 1))
              .end(),
          })),
        )
        .returning('version')
        .executeTakeFirstOrThrow(),
    )
    return version
  },

  of: (actionType, tenant, hold) =>
    readFirst(database, toPolicy, (db) => {
      const query = policies(db)
        .where('action_type', '=', actionType)
        .where('tenant', 'in', ['', tenant ?? ''])
        .orderBy('tenant', 'desc')
        .limit(1)
      return hold === undefined ? query : database.locks.lockForShare(query)
    }),

  all: () => readAll(database, toPolicy, (db) => policies(db).orderBy('action_type').orderBy('tenant')),

  remove: (actionType, tenant) =>
    didWrite(database, (db) =>
      db
        .updateTable('action_policies')
        .set((the) => ({ bands: null, version: the('version', '+', 1) }))
        .where('action_type', '=', actionType)
        .where('tenant', '=', tenant ?? '')
        .where('bands', 'is not', null),
    ),
})
