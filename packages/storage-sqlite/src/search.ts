import { type Database, type Readable, rowsWritten, type SearchFeatures } from '@countersign/storage-sql'
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

export const indexAllProjects = async (db: QueryExecutorProvider): Promise<void> => {
  await setBuffer(db, LARGE_BUFFER)
  await sql`
    insert into ${searchIndex} (rowid, searched_text)
    select seq, searched_text from ${projects} where removed_at is null`.execute(db)
  await setBuffer(db, BUFFER)
}

/** The number of index entries that are read to see how rare a trigram is. */
const PROBED = 64
/** The most trigrams of a long text that are examined. */
const MOST_PROBED = 60

/**
 * Picks the rarest trigrams of two thirds of a text, as phrases. Neighbouring trigrams are in the same projects, so a second one
 * would exclude nothing. The index reads every entry of a trigram, so a common one costs much. See ADR 0014.
 */
const pickPhrases = async (database: Readable, text: string): Promise<readonly string[]> => {
  const characters = Array.from(text)
  const trigrams = characters.slice(2).map((_, start) => phrase(characters.slice(start, start + 3).join('')))
  const step = Math.ceil(trigrams.length / MOST_PROBED)
  const probed = trigrams.filter((_, index) => index % step === 0)
  const { rows } = await database.read((db) =>
    sql<{ readonly trigram: string; readonly reached: number | null }>`
      with given(trigram) as (values ${sql.join(probed.map((trigram) => sql`(${trigram})`))})
      select trigram, (select rowid from ${searchIndex} where ${searchIndex} match trigram limit 1 offset ${PROBED - 1}) as reached
      from given`.execute(db),
  )
  // The first entries of a rare trigram reach up to a high project number; the first entries of a common trigram do not.
  const byRarity = (one: (typeof rows)[number], other: (typeof rows)[number]) =>
    (other.reached ?? Number.MAX_VALUE) - (one.reached ?? Number.MAX_VALUE)
  const size = Math.max(4, Math.ceil(rows.length / 3))
  const rarest = [0, size, 2 * size].flatMap((from) =>
    rows
      .slice(from, from + size)
      .sort(byRarity)
      .slice(0, 1),
  )
  return rarest
    .sort(byRarity)
    .slice(0, 2)
    .map(({ trigram }) => trigram)
}

/** Finds texts by their trigrams, in an FTS5 index without its own copy of the texts. */
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

  candidates: async (database, needle) => {
    const found = sql`from ${searchIndex} where ${searchIndex} match ${(await pickPhrases(database, needle)).join(' AND ')}`
    return {
      all: sql`(select rowid as seq ${found} union all select seq from ${projectsToIndex})`,
      after: (seq, limit) => sql`(
        select seq from (select rowid as seq ${found} and rowid > ${seq} order by rowid limit ${limit})
        union all select seq from ${projectsToIndex} where seq > ${seq} order by seq limit ${limit})`,
    }
  },
}
