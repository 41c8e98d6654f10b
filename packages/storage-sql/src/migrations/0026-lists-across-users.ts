import { type Kysely, sql } from 'kysely'

/**
 * Adds the indexes of the lists across users. No index has a column that a refresh or a use of a device changes, so that
 * PostgreSQL can still make these updates without touching an index (heap-only updates). Confirmations are found by the indexes of
 * their retention.
 */
export const indexListsAcrossUsers = async (db: Kysely<unknown>): Promise<void> => {
  for (const { name, table, column, is } of indexes) {
    await db.schema.createIndex(name).on(table).columns(['created_at', 'id']).where(sql.ref(column), is, null).execute()
  }
}

const indexes = [
  { name: 'sessions_live_by_age', table: 'sessions', column: 'ended_at', is: 'is' },
  { name: 'sessions_ended_by_age', table: 'sessions', column: 'ended_at', is: 'is not' },
  { name: 'devices_active_by_age', table: 'devices', column: 'removed_at', is: 'is' },
  { name: 'devices_removed_by_age', table: 'devices', column: 'removed_at', is: 'is not' },
] as const
