/** The number of projects in a sample. */
export const SAMPLE = 1000

/** A set of projects of a sample: one bit for each project. */
export type ProjectSet = Uint32Array

/** A sample of the projects, which shows how often trigrams occur and which of them occur together. */
export interface TrigramSample {
  /** The number of all projects when the sample was taken. */
  readonly projects: number
  /** The number of projects in the sample. */
  readonly size: number
  /** The projects of the sample that have a trigram. */
  readonly having: ReadonlyMap<string, ProjectSet>
}

const BITS = 32

export const emptySet = (): ProjectSet => new Uint32Array(Math.ceil(SAMPLE / BITS))

export const addTo = (set: ProjectSet, row: number): void => {
  const word = Math.floor(row / BITS)
  set[word] = (set[word] ?? 0) | (1 << (row % BITS))
}

export const intersectionOf = (one: ProjectSet, other: ProjectSet): ProjectSet =>
  one.map((bits, word) => bits & (other[word] ?? 0))

/** Counts the bits of a word: first in pairs, then in groups of four and eight. */
const bitsOf = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

export const sizeOf = (set: ProjectSet): number => set.reduce((sum, word) => sum + bitsOf(word), 0)
