import { createHmac } from 'node:crypto'

/**
 * Deterministic random draws for a subject, such as an email. The same purpose gives the same draw. Nobody can predict a draw
 * without the key.
 */
export interface Draws {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  uniform(purpose: string): number
  /**
   * Returns one of the items, with a probability in proportion to its weight. A change of weights changes the draw of as few
   * subjects as possible.
   */
  weighted<T>(
    purpose: string,
    items: readonly { readonly item: T; readonly name: string; readonly weight: number }[],
  ): T | undefined
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
    weighted: (purpose, items) => {
      // The first arrival of independent exponential clocks. An item is drawn in proportion to its weight. A higher weight
      // moves subjects only to that item.
      let first: { readonly arrival: number; readonly item: (typeof items)[number]['item'] } | undefined
      for (const { item, name, weight } of items) {
        const arrival = -Math.log(1 - uniform(`${purpose}\0${name}`)) / weight
        if (weight > 0 && (first === undefined || arrival < first.arrival)) first = { arrival, item }
      }
      return first?.item
    },
  }
}
