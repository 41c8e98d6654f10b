import type { Random } from '../../shared/random.ts'

/** The number of wrong numbers that rejects a confirmation. Two guesses of a hundred numbers succeed in 2 % of all cases. */
export const WRONG_MATCH_NUMBERS = 2

/** Returns a random number from `00` to `99`. All numbers are equally likely (up to 1 in 40 million). */
export const newMatchNumber = (random: Random): string => {
  const bytes = random.bytes(4)
  const value = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0)
  return String(value % 100).padStart(2, '0')
}
