import type { CustomerStore } from '@countersign/core/storage'
import { type Database, readAll } from '../shared/database.ts'
import { preparedQuery } from '../shared/prepared-query.ts'
import { recordMapping } from '../shared/record-mapping.ts'

const { columns, toRecord, toRow } = recordMapping('customers', 'id name email createdAt')

const customerById = preparedQuery(
  (db, { id }: { readonly id: string }) => db.selectFrom('customers').select(columns).where('id', '=', id),
  toRecord,
)

export const customersStore = (database: Database): CustomerStore => ({
  add: async (customer) => {
    await database.write((db) => db.insertInto('customers').values(toRow(customer)))
  },

  byId: (id) => customerById.first(database, { id }),

  list: ({ afterId, limit }) =>
    readAll(database, toRecord, (db) =>
      db.selectFrom('customers').select(columns).where('id', '>', afterId).orderBy('id').limit(limit),
    ),
})
