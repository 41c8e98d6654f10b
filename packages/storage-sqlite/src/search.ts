import { type Database, rowsWritten, type SearchFeatures } from '@countersign/storage-sql'
import { type QueryExecutorProvider, type SqlBool, sql } from 'kysely'

/** One phrase of the search language, in which nothing is special. */
const phrase = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** Bytes of texts that are laid out in memory before the index writes them; more of them while all texts are put in. */
const BUFFER = 1024 * 1024
const GREAT_BUFFER = 32 * BUFFER

const setBuffer = (db: QueryExecutorProvider, bytes: number) =>
  sql`insert into project_search (project_search, rank) values ('hashsize', ${sql.lit(bytes)})`.execute(db)

/**
 * New projects that are put into the index together. Alone, each has it write some nine pages; so many share them, and a
 * project of its own is inserted in a fifth less time. A search looks at those that wait, of which there are no more than that.
 */
const TOGETHER = 32

/** Puts the projects that wait into the index. */
const indexWaiting = async (tx: Database): Promise<void> => {
  // In the order of their numbers: before each that is smaller than the last, the index would be written out.
  await tx.write((db) =>
    sql`
      insert into project_search (rowid, searched_text)
      select seq, searched_text from projects where seq in (select seq from projects_to_index) order by seq`.execute(db),
  )
  await tx.write((db) => sql`delete from projects_to_index`.execute(db))
}

/** Puts every project into an empty index. */
export const indexAll = async (db: QueryExecutorProvider): Promise<void> => {
  await setBuffer(db, GREAT_BUFFER)
  await sql`
    insert into project_search (rowid, searched_text)
    select seq, searched_text from projects where removed_at is null`.execute(db)
  await setBuffer(db, BUFFER)
}

/** Finds texts by their trigrams, in an index that holds no texts of its own (FTS5, contentless). */
export const search: SearchFeatures = {
  create: async (db) => {
    // Case is folded already, in every script; the tokenizer would fold it in some.
    await sql`create virtual table project_search using fts5(
      searched_text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1')`.execute(db)
  },

  slim: async (db) => {
    await sql`drop table project_search`.execute(db)
    // Where in a text a trigram stands is never asked: without it the index has a third of the size.
    await sql`create virtual table project_search using fts5(
      searched_text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1')`.execute(db)
    await indexAll(db)
  },

  gather: async (db) => {
    await sql`create table projects_to_index (seq integer primary key)`.execute(db)
  },

  added: async (tx, seq) => {
    await tx.write((db) => sql`insert into projects_to_index (seq) values (${seq})`.execute(db))
    if (seq % TOGETHER === 0) await indexWaiting(tx)
  },

  changed: async (tx, seq, searchedText) => {
    await search.removed(tx, seq)
    await tx.write((db) => sql`insert into project_search (rowid, searched_text) values (${seq}, ${searchedText})`.execute(db))
  },

  removed: async (tx, seq) => {
    const waited = await tx.write((db) => rowsWritten(db, sql`delete from projects_to_index where seq = ${seq}`.compile(db)))
    if (waited === 0) await tx.write((db) => sql`delete from project_search where rowid = ${seq}`.execute(db))
  },

  has: (needle) => sql<SqlBool>`instr(projects.searched_text, ${needle}) > 0`,

  found: (grams) => sql`(
    select rowid as seq from project_search where project_search match ${grams.map(phrase).join(' AND ')}
    union all select seq from projects_to_index)`,
}
