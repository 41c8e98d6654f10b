import type { Kysely } from 'kysely'

/** Failed logins by client, the clients that an account has logged in from, and a ceiling for all others of an account. */
export const knownClients = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('login_failures')
    .addColumn('known_until', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('login_failures_known_until').on('login_failures').column('known_until').execute()
  await db.schema
    .createTable('login_ceilings')
    .addColumn('account', 'text', (column) => column.primaryKey().notNull())
    .addColumn('full_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('login_ceilings_full_at').on('login_ceilings').column('full_at').execute()
}
