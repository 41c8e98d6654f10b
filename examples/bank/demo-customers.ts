import { argon2Hasher } from '@countersign/core'
import type { Kysely } from 'kysely'
import type { BankTables } from './tables.ts'

export const demoPassword = 'correct horse battery staple'

/** Adds an account with 1,000,000 EUR, and three customers who share it. Ada orders; all three may approve. */
export const addDemoCustomers = async (db: Kysely<BankTables>): Promise<void> => {
  const password_hash = await argon2Hasher().hash(demoPassword)
  const names = ['Ada', 'Grace', 'Alan']
  const customers = names.map((name) => ({ id: name.toLowerCase(), name, email: `${name.toLowerCase()}@example.com` }))
  await db.insertInto('accounts').values({ id: 'acme', name: 'ACME', cents: 1_000_000_00n }).execute()
  await db
    .insertInto('customers')
    .values(customers.map((customer) => ({ ...customer, password_hash })))
    .execute()
  const members = customers.map(({ id }) => ({ customer_id: id, account_id: 'acme', may_approve: true }))
  await db.insertInto('members').values(members).execute()
}
