import type { Tables } from '@countersign/storage-sql'
import { type Kysely, sql } from 'kysely'

/**
 * Lets the statements of this transaction take as long as they need, also where the role or the database has time-outs of
 * its own, as they must have behind a pooler that keeps ours to itself.
 */
export const takeAllTime = async (tx: Kysely<Tables>): Promise<void> => {
  await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`.execute(tx)
}
