import type { Kysely } from 'kysely'
import type { MigrationDialect } from './migration-dialect.ts'

/** Creates the table of push windows, with at most one row for each user. */
export const createPushWindows =
  ({ leaveRoomForUpdates }: MigrationDialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .createTable('push_windows')
      .addColumn('user_id', 'bigint', (column) => column.primaryKey().notNull().references('users.id'))
      .addColumn('ends_at', 'bigint', (column) => column.notNull())
      .addColumn('waiting', 'integer', (column) => column.notNull())
      .addColumn('told', 'integer', (column) => column.notNull())
      .addColumn('confirmation_id', 'text', (column) => column.notNull())
      .addColumn('action_type', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await leaveRoomForUpdates(db, 'push_windows')
  }
