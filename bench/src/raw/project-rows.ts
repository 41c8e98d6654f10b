import type Sqlite from 'better-sqlite3'

const columns = `id, unique_code, name, status, progress, contract_value, currency, description, searched_text, reply_date,
  customer_id, creator_id, document_file_ids, created_at, updated_at`

/** The values of those columns. */
export type ProjectValues = readonly (string | number)[]

/** The stored value for a project without a reply date. */
export const NO_DATE = 8_640_000_000_000_001

/** Creates a table with the columns of `projects`, without a key, a condition or an index. */
export const createPlain = (database: Sqlite.Database, table: string): void => {
  database.exec(`create table ${table} (seq integer primary key autoincrement, ${columns})`)
}

/** Prepares the insertion of a row; its `lastInsertRowid` is the number of the row. */
export const insertInto = (database: Sqlite.Database, table: string): Sqlite.Statement<(string | number)[]> =>
  database.prepare(`insert into ${table} (${columns}) values (${Array(15).fill('?').join(', ')})`)

/** Prepares the indexing of all rows after this number for searches. */
export const indexAfter = (database: Sqlite.Database): Sqlite.Statement<[number]> =>
  database.prepare(
    'insert into countersign_project_search (rowid, searched_text) select seq, searched_text from countersign_projects where seq > ? order by seq',
  )

/** The number of single rows that are indexed for searches together, as in the storage. */
const TOGETHER = 32

/** Returns a function that makes a single inserted row findable by searches. */
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
