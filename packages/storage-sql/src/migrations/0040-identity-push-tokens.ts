import { type Kysely, sql } from 'kysely'

/**
 * Adds a keyed hash of each push token, which finds the devices with the token. Earlier tokens get it when an app sends them
 * again.
 */
export const addPushTokenDigests = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('devices').addColumn('push_token_digest', 'text').execute()
  await db.schema
    .createIndex('devices_by_push_token')
    .on('devices')
    .column('push_token_digest')
    .where(sql.ref('push_token_digest'), 'is not', null)
    .execute()
}
