import type { Kysely } from 'kysely'

/** Adds the encrypted secrets that all servers share. */
export const createSecrets = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('secrets')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('secret', 'text', (column) => column.notNull())
    .execute()
}
