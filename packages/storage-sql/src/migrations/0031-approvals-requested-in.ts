import type { Kysely } from 'kysely'

/** Records the session in which the requester of an approval request asked. */
export const addRequestedIn = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('approval_requests').addColumn('requested_in', 'text').execute()
}
