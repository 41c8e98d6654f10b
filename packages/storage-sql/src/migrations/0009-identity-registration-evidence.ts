import type { Kysely } from 'kysely'

/**
 * Creates the table of the signatures by which devices proved their keys. `id` is the id of the device. Earlier devices have
 * none.
 */
export const createDeviceRegistrations = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('device_registrations')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('challenge', 'text', (column) => column.notNull())
    .addColumn('nonce', 'text', (column) => column.notNull())
    .addColumn('statement', 'text', (column) => column.notNull())
    .addColumn('algorithm', 'text', (column) => column.notNull())
    .addColumn('signature', 'text', (column) => column.notNull())
    .addColumn('signature_over', 'text', (column) => column.notNull())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('key_thumbprint', 'text', (column) => column.notNull())
    .addColumn('registered_at', 'bigint', (column) => column.notNull())
    .execute()
}
