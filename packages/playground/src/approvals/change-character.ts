/** One character of a text that is replaced by another. */
export interface Change {
  /** The place of the character, counted from 1. */
  readonly place: number
  readonly from: string
  readonly to: string
}

/** Returns a whole number from 0 to below the limit. */
const randomBelow = (limit: number): number =>
  Math.floor(((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32) * limit)

/** Replaces one character, at a random place, by a letter that is another one. */
export const changeCharacter = (
  original: string,
  at: number = randomBelow(original.length),
): { readonly text: string; readonly change: Change } => {
  const from = original.charAt(at)
  const to = from === 'A' ? 'B' : 'A'
  return { text: original.slice(0, at) + to + original.slice(at + 1), change: { place: at + 1, from, to } }
}
