import { createHmac } from 'node:crypto'
import { deriveKey } from '../../shared/crypto/derive-key.ts'
import { type KeyRing, oldestSecret } from '../../shared/crypto/key-ring.ts'

/** Draws for a subject such as an email: always the same for the same purpose, and not to be guessed without the key. */
export interface Draws {
  /** A number from 0 to 1, without 1. */
  uniform(purpose: string): number
  /** One of the items, as often as its weight says. Changed weights move only as many subjects as they must. */
  weighted<T>(
    purpose: string,
    items: readonly { readonly item: T; readonly name: string; readonly weight: number }[],
  ): T | undefined
}

const FRACTION_BYTES = 6

/** Derives the key of decoys for one use. Decoys that change where real credentials do not could be told apart. */
export const decoyKey = (ring: KeyRing, use: 'passkeys' | 'devices'): Uint8Array => deriveKey(oldestSecret(ring), `${use}/decoys`)

/** Makes the draws of a subject. */
export const drawsOf = (key: Uint8Array, subject: string): Draws => {
  const uniform = (purpose: string): number => {
    const digest = createHmac('sha256', key).update(`${purpose}\0${subject}`).digest()
    return digest.readUIntBE(0, FRACTION_BYTES) / 2 ** (8 * FRACTION_BYTES)
  }
  return {
    uniform,
    weighted: (purpose, items) => {
      // The first arrival of independent exponential clocks: an item is drawn in proportion to its weight, and a weight that
      // rises only draws subjects to its own item.
      let first: { readonly arrival: number; readonly item: (typeof items)[number]['item'] } | undefined
      for (const { item, name, weight } of items) {
        const arrival = -Math.log(1 - uniform(`${purpose}\0${name}`)) / weight
        if (weight > 0 && (first === undefined || arrival < first.arrival)) first = { arrival, item }
      }
      return first?.item
    },
  }
}
