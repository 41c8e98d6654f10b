import { timingSafeEqual } from 'node:crypto'
import { hashRaw } from '@node-rs/argon2'
import { MOST_MEMORY_KIB, numbersOf, type PhcHash, type RefusedHash, type StoredHash } from './stored-hash.ts'

/** The greatest accepted cost of a hash from elsewhere. */
export interface Argon2Bounds {
  readonly memoryKib: number
  /** Memory in KiB, times passes. */
  readonly work: number
  readonly lanes: number
}

/** Takes about as long as the greatest accepted cost of other formats. */
export const argon2Bounds: Argon2Bounds = { memoryKib: MOST_MEMORY_KIB, work: 8 * MOST_MEMORY_KIB, lanes: 16 }

/** The values of the enums of the library, which it exports only as types. */
const variants = { argon2d: 0, argon2i: 1, argon2id: 2 } as const
const versions: Readonly<Record<string, number>> = { 16: 0, 19: 1 }

export type Argon2Id = keyof typeof variants
export const isArgon2 = (id: string): id is Argon2Id => Object.hasOwn(variants, id)

/** The estimated time for one pass over one KiB, in milliseconds. */
const MS_PER_KIB = 0.000_48

/** Returns the estimated time of a hash, in milliseconds. */
export const argon2Ms = (memoryKib: number, passes: number): number => memoryKib * passes * MS_PER_KIB

const LEAST_SALT_BYTES = 8

/** Reads an argon2 hash: `$argon2id$v=19$m=65536,t=3,p=4$salt$digest`, also `argon2i` and `argon2d`. */
export const readArgon2 = (
  id: Argon2Id,
  { version: versionText = '', parameters, salt, digest }: PhcHash,
  bounds: Argon2Bounds = argon2Bounds,
): StoredHash | RefusedHash => {
  const [memoryKib, passes, lanes] = numbersOf(parameters, ['m', 't', 'p']) ?? []
  const version = versions[versionText]
  if (memoryKib === undefined || passes === undefined || lanes === undefined || version === undefined)
    return { refusal: 'must have the argon2 version 19 or 16, and the parameters m, t and p' }
  if (salt.length < LEAST_SALT_BYTES) return { refusal: `must have an argon2 salt of at least ${LEAST_SALT_BYTES} bytes` }
  const isPossible = passes >= 1 && lanes >= 1 && memoryKib >= 8 * lanes
  if (!isPossible || memoryKib > bounds.memoryKib || memoryKib * passes > bounds.work || lanes > bounds.lanes)
    return { refusal: `must take at most ${bounds.memoryKib} KiB, m·t of at most ${bounds.work}, and ${bounds.lanes} lanes` }
  const cost = { memoryCost: memoryKib, timeCost: passes, parallelism: lanes, outputLen: digest.length }
  return {
    format: id,
    estimatedMs: argon2Ms(memoryKib, passes),
    matches: async (password) =>
      timingSafeEqual(await hashRaw(password, { algorithm: variants[id], version, salt, ...cost }), digest),
  }
}
