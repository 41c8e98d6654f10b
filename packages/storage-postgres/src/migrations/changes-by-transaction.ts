import { type Kysely, sql } from 'kysely'

const MANY = '*'
const MAX_NOTIFICATIONS = 100
/** Bytes. PostgreSQL refuses a longer payload, and rolls the transaction back. */
const MAX_PAYLOAD = 7999

/**
 * Adds the number of the writing transaction to each row of `changes`. With it, a reader finds exactly the rows that were
 * committed since an earlier snapshot.
 *
 * A notification in a transaction takes a lock of the whole cluster until the commit is durable. So the trigger notifies only of
 * the rows of the version before, whose processes do not announce their changes themselves.
 */
export const changesByTransaction = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table ${sql.table('changes')} add column transaction xid8 not null default pg_current_xact_id()`.execute(db)
  await db.schema.createIndex('changes_transaction').on('changes').column('transaction').execute()
  await sql`
    create or replace function ${sql.table('notify_changes')}() returns trigger language plpgsql as $$
    begin
      if not exists (select from added where announced = 0) then
        return null;
      end if;
      if (select count(*) > ${sql.lit(MAX_NOTIFICATIONS)} or max(octet_length(kind || ' ' || subject)) > ${sql.lit(MAX_PAYLOAD)} from added) then
        perform pg_notify(tg_table_schema || '_changes', ${sql.lit(MANY)});
      else
        perform pg_notify(tg_table_schema || '_changes', kind || ' ' || subject) from added;
      end if;
      return null;
    end $$`.execute(db)
}

/** Leaves a seventh of each page free, for the row versions that an update adds before the old ones are pruned. */
export const leaveRoomForUpdates = async (db: Kysely<unknown>, table: string): Promise<void> => {
  await sql`alter table ${sql.table(table)} set (fillfactor = 85)`.execute(db)
}
