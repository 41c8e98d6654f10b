import type { Kysely } from 'kysely'

/** Adds the running servers, with digests of what all of them must have alike. */
export const createServers = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('running_servers')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .execute()
}
