import { type Kysely, sql } from 'kysely'

/** Stands for more changes than are sent one by one. */
const MANY = '*'

const MAX_NOTIFICATIONS = 100
/** Bytes. PostgreSQL refuses a longer payload, and rolls the transaction back. */
const MAX_PAYLOAD = 7999

/**
 * Creates a trigger that sends a notification for each new row of `changes`. PostgreSQL delivers notifications when the
 * transaction commits, in the order of commits. The payload holds the change itself, because the numbers of the rows are not in
 * the order of commits. The channel is named after the schema, because channels belong to the whole database.
 */
export const notifyChanges = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create function ${sql.table('notify_changes')}() returns trigger language plpgsql as $$
    begin
      if (select count(*) > ${sql.lit(MAX_NOTIFICATIONS)} or max(octet_length(kind || ' ' || subject)) > ${sql.lit(MAX_PAYLOAD)} from added) then
        perform pg_notify(tg_table_schema || '_changes', ${sql.lit(MANY)});
      else
        perform pg_notify(tg_table_schema || '_changes', kind || ' ' || subject) from added;
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger notify_changes after insert on ${sql.table('changes')} referencing new table as added
    for each statement execute function ${sql.table('notify_changes')}()`.execute(db)
}
