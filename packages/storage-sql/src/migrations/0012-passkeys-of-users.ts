import { type Kysely, sql } from 'kysely'

/**
 * Makes credential ids unique for each user instead of across all users, and adds the table of decoy profiles. Not every
 * database can change a primary key in place, so the passkeys move into a new table.
 */
export const passkeysOfUsers = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.dropIndex('passkeys_of_user').execute()
  await db.schema.alterTable('passkeys').renameTo('passkeys_by_id_alone').execute()
  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'text', (column) => column.notNull())
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
    .addPrimaryKeyConstraint('passkeys_of_one_user', ['user_id', 'id'])
    .execute()
  const columns = sql.raw(`id, user_id, user_handle, public_key, algorithm, sign_count, transports, backup_eligible, backed_up,
    aaguid, discoverable, name, created_at, last_used_at`)
  await sql`insert into passkeys (${columns}) select ${columns} from passkeys_by_id_alone`.execute(db)
  await db.schema.dropTable('passkeys_by_id_alone').execute()
  await db.schema.createIndex('passkeys_of_user').on('passkeys').columns(['user_id', 'created_at', 'id']).execute()
  await db.schema.createIndex('passkeys_with_id').on('passkeys').columns(['id', 'created_at', 'user_id']).execute()

  await db.schema
    .createTable('decoy_profiles')
    .addColumn('number', 'bigint', (column) => column.primaryKey().notNull())
    .addColumn('taken_at', 'bigint', (column) => column.notNull())
    .addColumn('counts', 'text', (column) => column.notNull())
    .execute()
}
