import type { Kysely } from 'kysely'

/** Adds the hash of the client's key to the last rotation of a session. */
export const addRenewalKeys = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('sessions').addColumn('renewal_key_hash', 'text').execute()
}
