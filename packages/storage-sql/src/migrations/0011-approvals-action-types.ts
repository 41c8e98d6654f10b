import type { Kysely } from 'kysely'

/** Creates the registry of action types. */
export const createActionTypes = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('action_types')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('active', 'integer', (column) => column.notNull())
    .addColumn('required_fields', 'text', (column) => column.notNull())
    .addColumn('registered_at', 'bigint', (column) => column.notNull())
    .addColumn('schema_text', 'text', (column) => column.notNull())
    .addColumn('display_text', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('action_type_registry')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute()
  await (db as Kysely<{ action_type_registry: { id: number; version: number } }>)
    .insertInto('action_type_registry')
    .values(actionTypeSeeds.action_type_registry)
    .execute()
}

/** The rows that the migration inserts, by table. */
export const actionTypeSeeds = { action_type_registry: [{ id: 1, version: 0 }] }
