import { type Kysely, sql } from 'kysely'

/** Finds the challenges of a user by an index, for the deletion of the user. Challenges of logins have no user. */
export const indexChallengesOfUser = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createIndex('challenges_of_user')
    .on('challenges')
    .column('user_id')
    .where(sql.ref('user_id'), 'is not', null)
    .execute()
}
