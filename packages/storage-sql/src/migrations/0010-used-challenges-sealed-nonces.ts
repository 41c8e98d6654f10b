import { type Kysely, sql } from 'kysely'

/**
 * Users' challenges are kept past their expiry, so those of nobody get an index of their own for the sweep. Nonces of
 * confirmations are sealed; rows from before this migration hold theirs in clear until the core has sealed them.
 */
export const usedChallengesSealedNonces = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createIndex('challenges_of_nobody_expires_at')
    .on('challenges')
    .column('expires_at')
    .where(sql.ref('user_id'), 'is', null)
    .execute()

  await db.schema
    .alterTable('confirmations')
    .addColumn('nonce_sealed', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createIndex('confirmations_clear_nonce')
    .on('confirmations')
    .column('id')
    .where(sql.ref('nonce_sealed'), '=', sql.lit(0))
    .execute()
}
