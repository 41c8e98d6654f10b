import type { SearchFlavour } from '@countersign/storage-sql'
import { type SqlBool, sql } from 'kysely'

/** One phrase of the search language, in which nothing is special. */
const phrase = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** Finds texts by their trigrams, in an index that holds no texts of its own (FTS5, contentless). */
export const search: SearchFlavour = {
  create: async (db) => {
    // Case is folded already, in every script; the tokenizer would fold it in some.
    await sql`create virtual table project_search using fts5(
      searched_text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1')`.execute(db)
  },

  put: async (tx, seq, searchedText) => {
    await search.remove(tx, seq)
    await tx.write((db) => sql`insert into project_search (rowid, searched_text) values (${seq}, ${searchedText})`.execute(db))
  },

  remove: async (tx, seq) => {
    await tx.write((db) => sql`delete from project_search where rowid = ${seq}`.execute(db))
  },

  has: (needle) => sql<SqlBool>`instr(projects.searched_text, ${needle}) > 0`,

  narrowed: (grams) =>
    sql<SqlBool>`projects.seq in (select rowid from project_search where project_search match ${grams.map(phrase).join(' AND ')})`,
}
