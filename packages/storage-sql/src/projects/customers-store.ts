import type { Customer, CustomerStore } from '@countersign/core/storage'
import type { Selectable } from 'kysely'
import { type Database, readAll, readFirst } from '../shared/database.ts'
import { preparedQuery } from '../shared/prepared-query.ts'
import { recordMapping } from '../shared/record-mapping.ts'
import type { CustomersTable } from '../tables/index.ts'

const mapping = recordMapping('id name email createdAt')
const toCustomer = (row: Selectable<CustomersTable>): Customer => mapping.toRecord(row)

const customerById = preparedQuery((db, { id }: { readonly id: string }) =>
  db.selectFrom('customers').selectAll().where('id', '=', id),
)

export const customersStore = (database: Database): CustomerStore => ({
  add: async (customer) => {
    await database.write((db) => db.insertInto('customers').values(mapping.toRow(customer)).execute())
  },

  byId: (id) => readFirst(database, toCustomer, (db) => customerById.first(db, { id })),

  list: ({ afterId, limit }) =>
    readAll(database, toCustomer, (db) =>
      db.selectFrom('customers').selectAll().where('id', '>', afterId).orderBy('id').limit(limit).execute(),
    ),
})
