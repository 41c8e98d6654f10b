import type Sqlite from 'better-sqlite3'

const columns = `id, unique_code, name, status, progress, contract_value, currency, description, searched_text, reply_date,
  customer_id, creator_id, document_file_ids, created_at, updated_at`

/** The values of those columns. */
export type ProjectValues = readonly (string | number)[]

/** What is held for a project without a date of reply. */
export const NO_DATE = 8_640_000_000_000_001

/** A table that holds what `projects` does, without a key, a condition or an index. */
export const createPlain = (database: Sqlite.Database, table: string): void => {
  database.exec(`create table ${table} (seq integer primary key autoincrement, ${columns})`)
}

/** The statement that adds a row; its `lastInsertRowid` is the row's number. */
export const insertInto = (database: Sqlite.Database, table: string): Sqlite.Statement<(string | number)[]> =>
  database.prepare(`insert into ${table} (${columns}) values (${Array(15).fill('?').join(', ')})`)

/** Puts the rows after one of this number into the index of searches. */
export const indexAfter = (database: Sqlite.Database): Sqlite.Statement<[number]> =>
  database.prepare(
    'insert into countersign_project_search (rowid, searched_text) select seq, searched_text from countersign_projects where seq > ? order by seq',
  )

/** So many projects that came alone are put into the index of searches together, as the storage does it. */
const TOGETHER = 32

/** Has searches find a row of this number that was inserted alone. */
export const gatherIn = (database: Sqlite.Database): ((seq: number) => void) => {
  const wait = database.prepare('insert into countersign_projects_to_index (seq) values (?)')
  const index = database.prepare(
    `insert into countersign_project_search (rowid, searched_text)
      select seq, searched_text from countersign_projects where seq in (select seq from countersign_projects_to_index) order by seq`,
  )
  const clear = database.prepare('delete from countersign_projects_to_index')
  return (seq) => {
    wait.run(seq)
    if (seq % TOGETHER !== 0) return
    index.run()
    clear.run()
  }
}
