import type { Kysely } from 'kysely'

/** Creates the table of the public keys that verify receipts. */
export const createReceiptKeys = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('receipt_keys')
    .addColumn('kid', 'text', (column) => column.primaryKey().notNull())
    .addColumn('algorithm', 'text', (column) => column.notNull())
    .addColumn('jwk', 'text', (column) => column.notNull())
    .addColumn('active_from', 'bigint', (column) => column.notNull())
    .addColumn('retired_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addColumn('revoked_reason', 'text')
    .execute()
}
