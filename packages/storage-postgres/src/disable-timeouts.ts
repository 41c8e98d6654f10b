import type { Tables } from '@countersign/storage-sql'
import { type Kysely, sql } from 'kysely'

/**
 * Turns off the timeouts for the statements of this transaction. The role or the database may set timeouts of its own, for
 * example behind a pooler that ignores the settings of a connection.
 */
export const disableTimeouts = async (tx: Kysely<Tables>): Promise<void> => {
  await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`.execute(tx)
}
