import { type Kysely, sql } from 'kysely'

/**
 * Records which session registered a device or passkey. The records of vouchings tell it for what is on probation. Adds the index
 * by which the sweep finds erased users.
 */
export const addRegisteredBy = async (db: Kysely<unknown>): Promise<void> => {
  for (const [table, kind] of [
    ['devices', 'device'],
    ['passkeys', 'passkey'],
  ] as const) {
    await db.schema.alterTable(table).addColumn('registered_by', 'text').execute()
    const [registeredBy, from] = [sql.ref('registered_by'), sql.table('vouchings')]
    const ofSubject = sql`from ${from} where user_id = ${sql.ref(`${table}.user_id`)} and kind = ${kind} and subject_id = ${sql.ref(`${table}.id`)}`
    await sql`update ${sql.table(table)} set ${registeredBy} = (select ${sql.ref('vouchings.registered_by')} ${ofSubject}) where exists (select 1 ${ofSubject})`.execute(
      db,
    )
  }
  await db.schema.createIndex('users_erased').on('users').column('id').where(sql.ref('erased_at'), 'is not', null).execute()
}
