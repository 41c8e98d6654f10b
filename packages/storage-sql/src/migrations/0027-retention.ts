import { type Kysely, sql } from 'kysely'

/** Adds the indexes by which a sweep finds the finished records that are old enough. */
export const indexRetention = async (db: Kysely<unknown>): Promise<void> => {
  await indexByStatus(db, 'confirmations', 'approved')
  await indexByStatus(db, 'approval_requests', 'redeemed')
  for (const table of ['devices', 'projects']) {
    await db.schema
      .createIndex(`${table}_removed_at`)
      .on(table)
      .column('removed_at')
      .where(sql.ref('removed_at'), 'is not', null)
      .execute()
  }
  await db.schema.createIndex('vouchings_created_at').on('vouchings').column('created_at').execute()
  await db.schema.createIndex('service_tokens_expires_at').on('service_tokens').column('expires_at').execute()
}

/** Records of this status have another retention than the others, so each group has an index. */
const indexByStatus = async (db: Kysely<unknown>, table: string, status: string): Promise<void> => {
  const groups = [
    { name: status, is: '=' },
    { name: `not_${status}`, is: '!=' },
  ] as const
  for (const { name, is } of groups) {
    await db.schema
      .createIndex(`${table}_${name}_created_at`)
      .on(table)
      .column('created_at')
      .where(sql.ref('status'), is, sql.lit(status))
      .execute()
  }
}
