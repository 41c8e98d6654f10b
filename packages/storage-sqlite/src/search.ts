import type { SearchFlavour } from '@countersign/storage-sql'
import { type QueryExecutorProvider, type SqlBool, sql } from 'kysely'

/** One phrase of the search language, in which nothing is special. */
const phrase = (text: string): string => `"${text.replaceAll('"', '""')}"`

/**
 * New projects are put into the index so many at a time; until then a search looks at each of them. The index writes what it
 * was given at every savepoint and commit, which took 190 µs for a project alone and takes 30 µs for one of so many.
 */
const TOGETHER = 256

/** The newest project in the index. Every project up to it that is not removed is there, and none after it. */
const newestIndexed = sql<{ readonly newest: number }>`select coalesce(max(id), 0) as newest from project_search_docsize`

/** Bytes of texts that are laid out in memory before the index writes them; more of them while all texts are put in. */
const BUFFER = 1024 * 1024
const GREAT_BUFFER = 32 * BUFFER

const setBuffer = (db: QueryExecutorProvider, bytes: number) =>
  sql`insert into project_search (project_search, rank) values ('hashsize', ${sql.lit(bytes)})`.execute(db)

const indexNew = (db: QueryExecutorProvider) =>
  sql`
    insert into project_search (rowid, searched_text)
    select seq, searched_text from projects where seq > (${newestIndexed}) and removed_at is null order by seq`.execute(db)

/** Puts every project into an empty index. */
export const indexAll = async (db: QueryExecutorProvider): Promise<void> => {
  await setBuffer(db, GREAT_BUFFER)
  await indexNew(db)
  await setBuffer(db, BUFFER)
}

/** Finds texts by their trigrams, in an index that holds no texts of its own (FTS5, contentless). */
export const search: SearchFlavour = {
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

  added: async (tx, seq) => {
    if (seq % TOGETHER === 0) await tx.write((db) => indexNew(db))
  },

  changed: async (tx, seq, searchedText) => {
    const { rows } = await tx.read((db) => newestIndexed.execute(db))
    if (seq > (rows[0]?.newest ?? 0)) return
    await search.removed(tx, seq)
    await tx.write((db) => sql`insert into project_search (rowid, searched_text) values (${seq}, ${searchedText})`.execute(db))
  },

  removed: async (tx, seq) => {
    await tx.write((db) => sql`delete from project_search where rowid = ${seq}`.execute(db))
  },

  has: (needle) => sql<SqlBool>`instr(projects.searched_text, ${needle}) > 0`,

  narrowed: (grams) => sql<SqlBool>`projects.seq in (
    select rowid from project_search where project_search match ${grams.map(phrase).join(' AND ')}
    union all select unindexed.seq from projects as unindexed where unindexed.seq > (${newestIndexed}))`,
}
