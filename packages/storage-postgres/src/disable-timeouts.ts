import type { Tables } from '@countersign/storage-sql'
import { type Kysely, sql } from 'kysely'

/** Turns off the timeouts of this transaction, which the role or the database may set. Old versions of PostgreSQL lack some. */
export const disableTimeouts = async (tx: Kysely<Tables>): Promise<void> => {
  await sql`
    select set_config(name, '0', true) from pg_settings
    where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`.execute(tx)
}
