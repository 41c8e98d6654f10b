import { type Kysely, sql } from 'kysely'

/**
 * Adds the trust of devices and passkeys, and what tells a fresh session. Devices and passkeys of before are trusted from their
 * creation. `cooling_off` is 1 where the registration began a cooling-off period.
 */
export const addIdentityTrust = async (db: Kysely<unknown>): Promise<void> => {
  for (const table of ['devices', 'passkeys']) {
    await db.schema.alterTable(table).addColumn('trusted_at', 'bigint').execute()
    await db.schema
      .alterTable(table)
      .addColumn('cooling_off', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`update ${sql.table(table)} set trusted_at = created_at`.execute(db)
  }
  await db.schema
    .alterTable('sessions')
    .addColumn('user_verified', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createIndex('devices_removed_of_user')
    .on('devices')
    .columns(['user_id', 'removed_at'])
    .where(sql.ref('removed_at'), 'is not', null)
    .execute()
}
