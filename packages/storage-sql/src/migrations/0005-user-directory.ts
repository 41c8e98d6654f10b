import type { Kysely } from 'kysely'

/** What a host's own directory knows its users by. */
export const userDirectory = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('users').addColumn('directory_id', 'text').execute()
  await db.schema.createIndex('users_directory_id').unique().on('users').column('directory_id').execute()
}
