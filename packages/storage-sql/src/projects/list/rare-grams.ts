import { sql } from 'kysely'
import type { Database } from '../../database.ts'
import type { ListMemory } from './list-memory.ts'

/** Shorter needles have no trigram, so no index helps. */
const GRAM = 3

const SAMPLE = 1000

/** A sample is taken anew when the database has grown, or shrunk, by this factor. */
const OUTGROWN = 2

/** The trigrams of a text, each once, by code points as the indexes count them. */
const gramsOf = (text: string): readonly string[] => {
  const characters = Array.from(text)
  const grams = new Set<string>()
  for (let start = 0; start + GRAM <= characters.length; start += 1) grams.add(characters.slice(start, start + GRAM).join(''))
  return [...grams]
}

/** In what share of the projects each trigram occurs, by a sample spread evenly over them. */
const takeSample = async (database: Database, projects: number): Promise<NonNullable<ListMemory['grams']>> => {
  const texts = await database.read(async (db) => {
    const { newest } = await db
      .selectFrom('projects')
      .select((the) => the.fn.max('seq').as('newest'))
      .executeTakeFirstOrThrow()
    if (newest === null) return []
    const step = Math.max(1, Math.floor(newest / SAMPLE))
    const picked = Array.from({ length: Math.min(SAMPLE, newest) }, (_, index) => newest - index * step)
    return db
      .selectFrom('projects')
      .select('searched_text')
      .where('seq', 'in', sql<number>`(${sql.join(picked.map((seq) => sql.lit(seq)))})`)
      .where('removed_at', 'is', null)
      .execute()
  })
  const counts = new Map<string, number>()
  for (const { searched_text } of texts) for (const gram of gramsOf(searched_text)) counts.set(gram, (counts.get(gram) ?? 0) + 1)
  return { projects, shares: new Map([...counts].map(([gram, count]) => [gram, count / texts.length])) }
}

export interface RareGrams {
  readonly grams: readonly string[]
  /** The share of projects that the rarest of them is expected in. */
  readonly share: number
}

const MOST_GRAMS = 3

/** Looking at a row that an index found costs about as much as reading so many entries of the index's list of a trigram. */
const ENTRIES_TO_A_ROW = 80

interface Rated {
  readonly gram: string
  readonly share: number
}

/** The first grams of those that are rated from the rarest on: each further one while it spares more rows than it costs. */
const worthReading = (rated: readonly Rated[]): readonly string[] => {
  const grams: string[] = []
  let found = 1
  for (const { gram, share } of rated.slice(0, MOST_GRAMS)) {
    // What the sample does not have is still in some.
    const likely = Math.max(share, 1 / SAMPLE)
    if (grams.length > 0 && found * (1 - likely) * ENTRIES_TO_A_ROW < likely) break
    grams.push(gram)
    found *= likely
  }
  return grams
}

/**
 * The rarest trigrams of a needle, by which few candidates are found, however common the others are: an index reads the
 * whole list of a trigram that every project has, as slowly as the table. `undefined` for a needle without trigrams.
 *
 * @param projects How many projects there are, about.
 */
export const rareGrams = async (
  database: Database,
  memory: ListMemory,
  needle: string,
  projects: number,
): Promise<RareGrams | undefined> => {
  const grams = gramsOf(needle)
  if (grams.length === 0) return undefined
  const known = memory.grams
  if (known === undefined || projects > known.projects * OUTGROWN || projects * OUTGROWN < known.projects) {
    memory.grams = await takeSample(database, projects)
  }
  const shares = memory.grams?.shares
  const rated = grams.map((gram) => ({ gram, share: shares?.get(gram) ?? 0 })).sort((a, b) => a.share - b.share)
  return { grams: worthReading(rated), share: rated[0]?.share ?? 0 }
}
