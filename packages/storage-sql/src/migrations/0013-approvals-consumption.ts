import { type Kysely, sql } from 'kysely'

/** Adds the index by which the lock of an account finds the approvals that nobody has consumed. */
export const addConsumption = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createIndex('confirmations_unused_of_user')
    .on('confirmations')
    .column('user_id')
    .where(sql.ref('status'), '=', sql.lit('approved'))
    .where(sql.ref('consumed_at'), 'is', null)
    .where(sql.ref('voided_at'), 'is', null)
    .execute()
}
