import { createHmac } from 'node:crypto'

/** At least one item, each with its share. The shares add up to 1. */
export type Shares<T> = readonly [T & Share, ...(T & Share)[]]

interface Share {
  readonly share: number
}

/** Deterministic random draws for a subject, such as an email: the same for the same purpose, and secret without the key. */
export interface Draws {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  uniform(purpose: string): number
  /** Returns one of the items, each with the probability of its share. */
  one<T>(purpose: string, items: Shares<T>): T
}

const FRACTION_BYTES = 6

/** Creates the draws of a subject. Real credentials do not change, so the key must not change either (`DigestKey`). */
export const drawsOf = (key: Uint8Array, subject: string): Draws => {
  const uniform = (purpose: string): number => {
    const digest = createHmac('sha256', key).update(`${purpose}\0${subject}`).digest()
    return digest.readUIntBE(0, FRACTION_BYTES) / 2 ** (8 * FRACTION_BYTES)
  }
  return {
    uniform,
    one: (purpose, items) => {
      let rest = uniform(purpose)
      const drawn = items.find(({ share }) => {
        rest -= share
        return rest < 0
      })
      return drawn ?? items[0]
    },
  }
}
