/** So many projects are in a sample. */
export const SAMPLE = 1000

/** Projects of a sample, a bit for each. */
export type GramSet = Uint32Array

/** What a sample of the projects tells of trigrams. */
export interface GramSample {
  /** How many projects there were. */
  readonly projects: number
  /** How many of them are in the sample. */
  readonly size: number
  /** Those of the sample that have a trigram. */
  readonly having: ReadonlyMap<string, GramSet>
}

const BITS = 32

export const emptySet = (): GramSet => new Uint32Array(Math.ceil(SAMPLE / BITS))

export const addTo = (set: GramSet, row: number): void => {
  const word = Math.floor(row / BITS)
  set[word] = (set[word] ?? 0) | (1 << (row % BITS))
}

export const commonOf = (one: GramSet, other: GramSet): GramSet => one.map((bits, word) => bits & (other[word] ?? 0))

/** Counts the bits of a word, in pairs, fours and eights at once. */
const bitsOf = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

export const sizeOf = (set: GramSet): number => set.reduce((sum, word) => sum + bitsOf(word), 0)
