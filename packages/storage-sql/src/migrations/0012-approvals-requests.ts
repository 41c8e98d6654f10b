import { type Kysely, sql } from 'kysely'

/** Creates the tables of approval requests and of the policies of action types. */
export const createApprovalRequests = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('approval_requests')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('requested_by', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('action_type', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('permission', 'text', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('redeemed_at', 'bigint')
    .addColumn('redeemed_by', 'text')
    .addColumn('redeemed_key', 'text')
    // A count of zero would mean that no approval is needed.
    .addCheckConstraint('approval_requests_count', sql`${sql.ref('count')} >= 1`)
    .execute()
  // Expired requests keep the status `pending`. With the expiry in the index, a query skips them.
  await db.schema
    .createIndex('approval_requests_open_of_user')
    .on('approval_requests')
    .columns(['requested_by', 'expires_at'])
    .where(sql.ref('status'), '=', sql.lit('pending'))
    .execute()
  await db.schema
    .createTable('action_policies')
    .addColumn('action_type', 'text', (column) => column.primaryKey().notNull())
    .addColumn('permission', 'text', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addCheckConstraint('action_policies_count', sql`${sql.ref('count')} >= 1`)
    .execute()
}
