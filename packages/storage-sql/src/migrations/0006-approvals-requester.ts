import type { Kysely } from 'kysely'

/** Adds who asked for a confirmation, and the number that the user compares. */
export const addRequester = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('confirmations').addColumn('requested_from', 'text').execute()
  await db.schema.alterTable('confirmations').addColumn('requested_by', 'text').execute()
  await db.schema.alterTable('confirmations').addColumn('match_number', 'text').execute()
  await db.schema
    .alterTable('confirmations')
    .addColumn('wrong_match_numbers', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
