/** Random numbers that are the same in every run: Mulberry32 with one 32-bit seed. */
export interface Draw {
  /** A number from 0 up to, but not including, 1. */
  share(): number
  /** A whole number from 0 up to, but not including, `count`. */
  below(count: number): number
  oneOf<T>(values: readonly [T, ...T[]]): T
}

export const createDraw = (seed: number): Draw => {
  let state = seed >>> 0
  const share = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number): number => Math.floor(share() * count)
  return { share, below, oneOf: (values) => values[below(values.length)] ?? values[0] }
}
