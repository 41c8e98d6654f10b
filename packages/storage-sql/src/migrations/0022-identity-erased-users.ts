import type { Kysely } from 'kysely'

/** Adds the time at which the personal data of a user was erased. */
export const addErasedUsers = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('users').addColumn('erased_at', 'bigint').execute()
}
