import type { SearchedTextChange } from '@countersign/storage-sql'
import { type Kysely, sql } from 'kysely'

/**
 * Creates a trigram index that holds no texts of its own (FTS5, contentless), and the table of the projects that wait to be
 * indexed.
 */
export const createSearchIndex = async (db: Kysely<unknown>): Promise<void> => {
  // The searched texts are in lower case already, so the tokenizer need not fold case. No search asks for positions, so
  // `detail = none` leaves them out and saves most of the size.
  await sql`create virtual table ${sql.table('project_search')} using fts5(
    searched_text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1')`.execute(db)
  await sql`create table ${sql.table('projects_to_index')} (seq integer primary key)`.execute(db)
}

/**
 * Changes searched texts, and puts the changed projects into the index again. Projects that wait to be indexed are indexed too,
 * because the table of these projects remembers the changed ones meanwhile.
 */
export const changeSearchedTexts = async (db: Kysely<unknown>, { to, where }: SearchedTextChange): Promise<void> => {
  const projects = sql.table('projects')
  const index = sql.table('project_search')
  const waiting = sql.table('projects_to_index')
  const changed = sql`select seq from ${projects} where removed_at is null and ${where} and seq not in (select seq from ${waiting})`
  await sql`delete from ${index} where rowid in (${changed})`.execute(db)
  await sql`insert into ${waiting} (seq) ${changed}`.execute(db)
  await sql`update ${projects} set searched_text = ${to} where ${where}`.execute(db)
  await sql`insert into ${index} (rowid, searched_text)
    select seq, searched_text from ${projects} where seq in (select seq from ${waiting}) order by seq`.execute(db)
  await sql`delete from ${waiting}`.execute(db)
}
