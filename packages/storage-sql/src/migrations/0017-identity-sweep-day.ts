import { type Kysely, sql } from 'kysely'
import type { MigrationDialect } from './migration-dialect.ts'

/** Milliseconds. */
const DAY = 86_400_000

/**
 * Replaces the index on the expiry of the refresh token by an index on the day of this expiry. Each refresh changes the expiry.
 * PostgreSQL rewrites every index entry of a row if an indexed column changes, and no entry otherwise (heap-only tuple). The day
 * changes at most once a day.
 */
export const addSweepDay =
  ({ leaveRoomForUpdates }: MigrationDialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    // Zero for the rows that a server of the version before inserts. The sweep then looks at them every time.
    await db.schema
      .alterTable('sessions')
      .addColumn('sweep_day', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`update ${sql.table('sessions')} set ${sql.ref('sweep_day')} = ${sql.ref('refresh_expires_at')} / ${sql.lit(DAY)}`.execute(
      db,
    )
    await db.schema.createIndex('sessions_sweep_day').on('sessions').column('sweep_day').execute()
    await db.schema.dropIndex('sessions_refresh_expires_at').execute()
    await leaveRoomForUpdates(db, 'sessions')
  }
