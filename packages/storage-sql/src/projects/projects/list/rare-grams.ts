import { sql } from 'kysely'
import type { Readable } from '../../../shared/database.ts'
import { addTo, commonOf, emptySet, type GramSample, type GramSet, SAMPLE, sizeOf } from './gram-sample.ts'
import type { ListCache } from './list-cache.ts'

/** Shorter needles have no trigram, so no index helps. */
const GRAM = 3

/** A sample is taken anew when the database has grown, or shrunk, by this factor. */
const OUTGROWN = 2

/** The trigrams of a text, each once, by code points as the indexes count them. */
export const gramsOf = (text: string): readonly string[] => {
  const characters = Array.from(text)
  const grams = new Set<string>()
  for (let start = 0; start + GRAM <= characters.length; start += 1) grams.add(characters.slice(start, start + GRAM).join(''))
  return [...grams]
}

/** Which projects of a sample, spread evenly over all of them, have each trigram. */
const takeSample = async (database: Readable, projects: number): Promise<GramSample> => {
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
  const having = new Map<string, GramSet>()
  for (const [row, { searched_text }] of texts.entries()) {
    for (const gram of gramsOf(searched_text)) {
      const set = having.get(gram) ?? emptySet()
      addTo(set, row)
      having.set(gram, set)
    }
  }
  return { projects, size: texts.length, having }
}

export interface RareGrams {
  readonly grams: readonly string[]
  /** The share of projects that are expected to have them all. */
  readonly share: number
}

const MOST_GRAMS = 3

/** Looking at a row that an index found costs about as much as reading so many entries of the index's list of a trigram. */
const ENTRIES_TO_A_ROW = 80

/** What is in none of the sample is expected in half a project of as many. */
const UNSEEN = 0.5

/**
 * Picks trigrams one after another, each the one that most lessens what is left to do: lists to read, and rows to look at.
 * Which of them occur together counts for as much as how rare they are: the trigrams of one word are in the same projects,
 * and three of those find no fewer than one does. Half of the searches for two words found ten times too many rows by the
 * three rarest alone.
 */
export const pickGrams = (grams: readonly string[], { size, having }: GramSample): RareGrams => {
  const picked: string[] = []
  let found: GramSet | undefined
  let rows = size
  while (picked.length < MOST_GRAMS) {
    let best: { readonly gram: string; readonly found: GramSet; readonly rows: number; readonly cost: number } | undefined
    for (const gram of grams) {
      const set = having.get(gram) ?? emptySet()
      const both = found === undefined ? set : commonOf(found, set)
      const entries = sizeOf(set)
      const left = Math.max(sizeOf(both), (rows * Math.max(entries, UNSEEN)) / Math.max(1, size))
      const cost = left * ENTRIES_TO_A_ROW + entries
      if (best === undefined || cost < best.cost) best = { gram, found: both, rows: left, cost }
    }
    if (best === undefined || (picked.length > 0 && best.cost >= rows * ENTRIES_TO_A_ROW)) break
    picked.push(best.gram)
    found = best.found
    rows = best.rows
  }
  return { grams: picked, share: rows / Math.max(1, size) }
}

/**
 * The few trigrams of a needle by which the fewest candidates are found for the least reading, however common the others are:
 * an index reads the whole list of a trigram that every project has, as slowly as the table. `undefined` for a needle without
 * trigrams.
 *
 * @param projects How many projects there are, about.
 */
export const rareGrams = async (
  database: Readable,
  cache: ListCache,
  needle: string,
  projects: number,
): Promise<RareGrams | undefined> => {
  const grams = gramsOf(needle)
  if (grams.length === 0) return undefined
  let sample = cache.grams
  if (sample === undefined || projects > sample.projects * OUTGROWN || projects * OUTGROWN < sample.projects) {
    sample = await takeSample(database, projects)
    cache.grams = sample
  }
  return pickGrams(grams, sample)
}
