import { type Kysely, sql } from 'kysely'

/** Passkeys, the handles that authenticators know users by, and which passkey opened a session. */
export const passkeys = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('user_handles')
    .addColumn('user_id', 'bigint', (column) => column.primaryKey().notNull().references('users.id'))
    .addColumn('handle', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('user_handle', 'text', (column) => column.notNull())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('algorithm', 'integer', (column) => column.notNull())
    .addColumn('sign_count', 'bigint', (column) => column.notNull())
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('backup_eligible', 'integer', (column) => column.notNull())
    .addColumn('backed_up', 'integer', (column) => column.notNull())
    .addColumn('aaguid', 'text', (column) => column.notNull())
    .addColumn('discoverable', 'integer')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute()
  await db.schema.createIndex('passkeys_of_user').on('passkeys').columns(['user_id', 'created_at', 'id']).execute()

  await db.schema.alterTable('sessions').addColumn('passkey_id', 'text').execute()
  await db.schema
    .createIndex('sessions_live_of_passkey')
    .on('sessions')
    .column('passkey_id')
    .where(sql.ref('ended_at'), 'is', null)
    .execute()
}
