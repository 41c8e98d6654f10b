import type { Kysely } from 'kysely'

/** Creates the table of vouchings: registrations on probation, each with the confirmation that vouches for it. */
export const createVouchings = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('vouchings')
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text', (column) => column.notNull())
    .addColumn('registered_by', 'text')
    .addColumn('confirmation_id', 'text')
    .addColumn('started_by_registration', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('vouchings_key', ['user_id', 'kind', 'subject_id'])
    .execute()
  await db.schema.createIndex('vouchings_of_confirmation').unique().on('vouchings').column('confirmation_id').execute()
  await db.schema.createIndex('vouchings_by_age').on('vouchings').columns(['user_id', 'created_at']).execute()
}
