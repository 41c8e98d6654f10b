import type { Database } from '@countersign/storage-sql'
import { sql } from 'kysely'

/**
 * Takes project numbers of a year in one statement, which locks the row of the year only for the moment of the statement: its
 * commit does not wait for the disk (`synchronous_commit = off`). A crash cannot give a number twice. The transaction that uses
 * the number commits later, and PostgreSQL writes its log in order. So a durable project has a durable number. See ADR 0029.
 */
export const takeNumbers = async (database: Database, year: number, count: number): Promise<number> => {
  const { rows } = await database.write((db) =>
    sql<{ readonly last: number | string }>`
      insert into ${sql.table('project_numbers')} as numbers (year, last) values (${year}, ${count})
      on conflict (year) do update set last = numbers.last + excluded.last
      where set_config('synchronous_commit', 'off', true) is not null
      returning last`.execute(db),
  )
  return Number(rows[0]?.last)
}
