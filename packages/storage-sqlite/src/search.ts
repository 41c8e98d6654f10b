import { type Database, rowsWritten, type SearchFeatures } from '@countersign/storage-sql'
import { type QueryExecutorProvider, type SqlBool, sql } from 'kysely'

/** The tables of the search index, which only SQLite has. */
export const SEARCH_TABLES = ['project_search', 'projects_to_index'] as const

const projects = sql.table('projects')
const searchIndex = sql.table('project_search')
const projectsToIndex = sql.table('projects_to_index')

/** Quotes a text as one phrase of the FTS5 query language. */
const phrase = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** Bytes of memory for index entries before FTS5 writes them to the file. */
const BUFFER = 1024 * 1024
/** Bytes of memory for index entries while the whole index is built. */
const LARGE_BUFFER = 32 * BUFFER

/** Sets an option of FTS5: an insert into the hidden column that has the name of the table. */
const setBuffer = (db: QueryExecutorProvider, bytes: number) =>
  sql`insert into ${searchIndex} (${searchIndex}, rank) values ('hashsize', ${sql.lit(bytes)})`.execute(db)

/**
 * The number of new projects that are put into the index together, because each batch writes the same pages of the index. A
 * search also scans the few projects that wait. See ADR 0014.
 */
const INDEX_BATCH = 32

const indexWaitingProjects = async (tx: Database): Promise<void> => {
  // In ascending order: FTS5 writes its buffer to the file whenever a number is lower than the number before.
  await tx.write((db) =>
    sql`
      insert into ${searchIndex} (rowid, searched_text)
      select seq, searched_text from ${projects} where seq in (select seq from ${projectsToIndex}) order by seq`.execute(db),
  )
  await tx.write((db) => sql`delete from ${projectsToIndex}`.execute(db))
}

/** Puts every project into an empty index. */
export const indexAllProjects = async (db: QueryExecutorProvider): Promise<void> => {
  await setBuffer(db, LARGE_BUFFER)
  await sql`
    insert into ${searchIndex} (rowid, searched_text)
    select seq, searched_text from ${projects} where removed_at is null`.execute(db)
  await setBuffer(db, BUFFER)
}

/** Finds texts by their trigrams, in an FTS5 index that holds no texts of its own. */
export const search: SearchFeatures = {
  added: async (tx, seq) => {
    await tx.write((db) => sql`insert into ${projectsToIndex} (seq) values (${seq})`.execute(db))
    if (seq % INDEX_BATCH === 0) await indexWaitingProjects(tx)
  },

  changed: async (tx, seq, searchedText) => {
    await search.removed(tx, seq)
    await tx.write((db) => sql`insert into ${searchIndex} (rowid, searched_text) values (${seq}, ${searchedText})`.execute(db))
  },

  removed: async (tx, seq) => {
    const waiting = await tx.write((db) => rowsWritten(db, sql`delete from ${projectsToIndex} where seq = ${seq}`.compile(db)))
    if (waiting === 0) await tx.write((db) => sql`delete from ${searchIndex} where rowid = ${seq}`.execute(db))
  },

  contains: (needle) => sql<SqlBool>`instr(${sql.ref('projects.searched_text')}, ${needle}) > 0`,

  candidates: (grams) => sql`(
    select rowid as seq from ${searchIndex} where ${searchIndex} match ${grams.map(phrase).join(' AND ')}
    union all select seq from ${projectsToIndex})`,
}
