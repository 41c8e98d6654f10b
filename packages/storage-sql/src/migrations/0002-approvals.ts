import { type Kysely, sql } from 'kysely'

/** Creates the table of confirmations. */
export const createApprovals = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('confirmations')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('action_type', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('nonce', 'text', (column) => column.notNull())
    .addColumn('challenge', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('wrong_signatures', 'integer', (column) => column.notNull())
    .addColumn('device_id', 'text')
    .addColumn('reject_reason', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute()
  // Expired confirmations keep the status `pending`. With the expiry in the index, a query skips them.
  await db.schema
    .createIndex('confirmations_pending_of_user')
    .on('confirmations')
    .columns(['user_id', 'expires_at'])
    .where(sql.ref('status'), '=', sql.lit('pending'))
    .execute()
}
