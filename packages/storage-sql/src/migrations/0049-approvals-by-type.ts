import type { Kysely } from 'kysely'

/** Finds the confirmations of an action type by an index, also if there are few or none. */
export const indexConfirmationsByType = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.createIndex('confirmations_by_type').on('confirmations').columns(['action_type', 'created_at', 'id']).execute()
}
