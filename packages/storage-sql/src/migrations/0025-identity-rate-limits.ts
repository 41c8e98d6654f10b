import type { Kysely } from 'kysely'
import type { MigrationDialect } from './migration-dialect.ts'

/**
 * Creates a table of rate limits with one row for each limited caller. What callers have used is not copied, so every caller starts
 * with a full limit after the upgrade. The tables `rate_limits` and `rate_limit_hits` stay, because servers of the previous version
 * use them until they are replaced.
 */
export const createRateLimitStates =
  ({ leaveRoomForUpdates }: MigrationDialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .createTable('rate_limit_states')
      .addColumn('key', 'text', (column) => column.primaryKey().notNull())
      .addColumn('full_at', 'bigint', (column) => column.notNull())
      .addColumn('allowed_at', 'text', (column) => column.notNull())
      .addColumn('version', 'bigint', (column) => column.notNull())
      .addColumn('idle_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('rate_limit_states_idle_at').on('rate_limit_states').column('idle_at').execute()
    await leaveRoomForUpdates(db, 'rate_limit_states')
  }
