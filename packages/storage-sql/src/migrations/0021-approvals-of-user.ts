import type { Kysely } from 'kysely'

/** Finds all confirmations and approval requests of a user by an index. Lists, exports and erasures need them. */
export const indexApprovalsOfUser = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.createIndex('confirmations_of_user').on('confirmations').columns(['user_id', 'created_at', 'id']).execute()
  await db.schema.createIndex('approval_requests_of_user').on('approval_requests').column('requested_by').execute()
}
