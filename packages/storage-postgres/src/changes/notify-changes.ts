import { type Kysely, sql } from 'kysely'

/** Where rows of `changes` are told of. */
export const CHANGES_CHANNEL = 'countersign_changes'
/** Stands for more changes than are told one by one. */
const MANY = '*'

const MAX_REPORTED = 100
/** Bytes. PostgreSQL refuses payloads of 8000 and more, and with them what they tell of. */
const LONGEST_TOLD = 7999

/**
 * A trigger that notifies of each row in the transaction that writes it, so whoever listens hears of it once that is
 * committed, in the order of commits, and never of one that was undone. The notification carries the change itself: the
 * numbers of rows say nothing of the order in which they become visible.
 */
export const notifyChanges = async (db: Kysely<unknown>): Promise<void> => {
  const channel = sql.lit(CHANGES_CHANNEL)
  await sql`
    create function notify_changes() returns trigger language plpgsql as $$
    begin
      if (select count(*) > ${sql.lit(MAX_REPORTED)} or max(octet_length(kind || ' ' || subject)) > ${sql.lit(LONGEST_TOLD)} from added) then
        perform pg_notify(${channel}, ${sql.lit(MANY)});
      else
        perform pg_notify(${channel}, kind || ' ' || subject) from added;
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger notify_changes after insert on changes referencing new table as added
    for each statement execute function notify_changes()`.execute(db)
}
