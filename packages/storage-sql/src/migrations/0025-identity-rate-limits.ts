import type { Kysely } from 'kysely'
import type { MigrationDialect } from './migration-dialect.ts'

/**
 * Replaces the two tables of rate limits by one with a row for each limited caller. What was counted is forgotten: the limits
 * begin anew once.
 */
export const replaceRateLimits =
  ({ leaveRoomForUpdates }: MigrationDialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema.dropTable('rate_limit_hits').execute()
    await db.schema.dropTable('rate_limits').execute()
    await db.schema
      .createTable('rate_limits')
      .addColumn('key', 'text', (column) => column.primaryKey().notNull())
      .addColumn('full_at', 'bigint', (column) => column.notNull())
      .addColumn('allowed_at', 'text', (column) => column.notNull())
      .addColumn('version', 'bigint', (column) => column.notNull())
      .addColumn('idle_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('rate_limits_idle_at').on('rate_limits').column('idle_at').execute()
    await leaveRoomForUpdates(db, 'rate_limits')
  }
