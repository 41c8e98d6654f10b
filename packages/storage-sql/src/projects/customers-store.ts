import type { CustomerStore } from '@countersign/core/storage'
import type { Customer } from '@countersign/core/types'
import type { Selectable } from 'kysely'
import type { Database } from '../shared/database.ts'
import { preparedQuery } from '../shared/prepared-query.ts'
import type { CustomersTable } from '../tables/index.ts'

const toCustomer = (row: Selectable<CustomersTable>): Customer => ({
  id: row.id,
  name: row.name,
  email: row.email,
  createdAt: row.created_at,
})

const customerById = preparedQuery((db, { id }: { readonly id: string }) =>
  db.selectFrom('customers').selectAll().where('id', '=', id),
)

export const customersStore = (database: Database): CustomerStore => ({
  add: async ({ id, name, email, createdAt }) => {
    await database.write((db) => db.insertInto('customers').values({ id, name, email, created_at: createdAt }).execute())
  },

  byId: async (id) => {
    const row = await database.read((db) => customerById.first(db, { id }))
    return row && toCustomer(row)
  },

  list: async ({ afterId, limit }) => {
    const rows = await database.read((db) =>
      db.selectFrom('customers').selectAll().where('id', '>', afterId).orderBy('id').limit(limit).execute(),
    )
    return rows.map(toCustomer)
  },
})
