import { sql } from 'kysely'
import type { Readable } from '../../../shared/database.ts'
import type { ListContext, TrigramSample } from './cache.ts'

/** The number of projects in a sample. */
const SAMPLE = 1000

/** The length of a trigram. A shorter needle cannot be searched by the index. */
const TRIGRAM = 3

/** A new sample is taken when the number of projects has grown or shrunk by this factor. */
const OUTGROWN = 2

/** Returns the trigrams of a text, each once. They consist of code points, as in the indexes of the databases. */
export const trigramsOf = (text: string): readonly string[] => {
  const characters = Array.from(text)
  const trigrams = new Set<string>()
  for (let start = 0; start + TRIGRAM <= characters.length; start += 1) {
    trigrams.add(characters.slice(start, start + TRIGRAM).join(''))
  }
  return [...trigrams]
}

/** Takes a sample of projects that are spread evenly over all projects. */
const takeSample = async (database: Readable, projects: number): Promise<TrigramSample> => {
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
  return sampleOf(
    texts.map(({ searched_text }) => searched_text),
    projects,
  )
}

/** Makes the sample of these texts. @param projects The number of all projects. */
export const sampleOf = (texts: readonly string[], projects: number): TrigramSample => {
  const having = new Map<string, number[]>()
  for (const [row, text] of texts.entries()) {
    for (const trigram of trigramsOf(text)) {
      const rows = having.get(trigram)
      if (rows === undefined) having.set(trigram, [row])
      else rows.push(row)
    }
  }
  return { projects, size: texts.length, having }
}

export interface PickedTrigrams {
  readonly trigrams: readonly string[]
  /** The share of projects that are expected to have all of the trigrams. */
  readonly share: number
}

const MAX_PICKED = 3

/** Reading one row of the table costs about as much as reading this many entries of the index. */
const ENTRIES_PER_ROW = 80

/** The expected number of projects in a sample for a trigram that no project of the sample has. */
const UNSEEN = 0.5

/**
 * Picks up to three trigrams, one after another. Each is the one that reduces the remaining cost most: entries of the index, and
 * rows of the table. Rare trigrams alone are a bad choice: the trigrams of one word are in the same projects, so a second one
 * excludes nothing. See ADR 0014.
 */
export const pickFromSample = (trigrams: readonly string[], sample: TrigramSample): PickedTrigrams => {
  const { size } = sample
  const picked: string[] = []
  let found: ReadonlySet<number> | undefined
  let rows = size
  while (picked.length < MAX_PICKED) {
    let best:
      | { readonly trigram: string; readonly found: readonly number[]; readonly rows: number; readonly cost: number }
      | undefined
    for (const trigram of trigrams) {
      const having = sample.having.get(trigram) ?? []
      const both = having.filter((row) => found?.has(row) ?? true)
      const entries = having.length
      const left = Math.max(both.length, (rows * Math.max(entries, UNSEEN)) / Math.max(1, size))
      const cost = left * ENTRIES_PER_ROW + entries
      if (best === undefined || cost < best.cost) best = { trigram, found: both, rows: left, cost }
    }
    if (best === undefined || (picked.length > 0 && best.cost >= rows * ENTRIES_PER_ROW)) break
    picked.push(best.trigram)
    found = new Set(best.found)
    rows = best.rows
  }
  return { trigrams: picked, share: rows / Math.max(1, size) }
}

/**
 * Picks the trigrams of a needle that find few candidates at a low cost. An index reads every entry of a trigram, so a trigram
 * that all projects have costs as much as reading the table. Returns `undefined` for a needle without trigrams.
 *
 * @param projects The approximate number of projects.
 */
export const pickTrigrams = async (
  { database, cache }: Pick<ListContext, 'database' | 'cache'>,
  needle: string,
  projects: number,
): Promise<PickedTrigrams | undefined> => {
  const trigrams = trigramsOf(needle)
  if (trigrams.length === 0) return undefined
  let sample = cache.trigrams
  if (sample === undefined || projects > sample.projects * OUTGROWN || projects * OUTGROWN < sample.projects) {
    sample = await takeSample(database, projects)
    cache.trigrams = sample
  }
  return pickFromSample(trigrams, sample)
}
