import type { Kysely } from 'kysely'

/** Adds one-time codes, the lock of an account, and the client that opened a session. */
export const addAccountProtection = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('one_time_codes')
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('one_time_codes_key', ['user_id', 'kind'])
    .execute()
  await db.schema.createIndex('one_time_codes_hash').unique().on('one_time_codes').column('hash').execute()
  await db.schema.createIndex('one_time_codes_expires_at').on('one_time_codes').column('expires_at').execute()
  await db.schema.alterTable('users').addColumn('locked_at', 'bigint').execute()
  await db.schema.alterTable('sessions').addColumn('opened_from', 'text').execute()
}
