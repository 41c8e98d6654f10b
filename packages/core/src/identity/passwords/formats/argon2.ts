import { verify } from '@node-rs/argon2'
import { numbersOf, type PhcHash } from './phc.ts'
import { MOST_MEMORY_KIB, type RefusedHash, type StoredHash } from './stored-hash.ts'

/** The greatest accepted cost of a hash from elsewhere. */
export interface Argon2Bounds {
  readonly memoryKib: number
  /** Memory in KiB, times passes. */
  readonly work: number
  readonly lanes: number
}

/** Takes about as long as the greatest accepted cost of other formats. */
export const argon2Bounds: Argon2Bounds = { memoryKib: MOST_MEMORY_KIB, work: 8 * MOST_MEMORY_KIB, lanes: 16 }

const VERSIONS = ['16', '19']
const LEAST_SALT_BYTES = 8

/** Reads an argon2 hash: `$argon2id$v=19$m=65536,t=3,p=4$salt$digest`, also `argon2i` and `argon2d`. */
export const readArgon2 = (
  text: string,
  { version, parameters, salt }: PhcHash,
  bounds: Argon2Bounds = argon2Bounds,
): StoredHash | RefusedHash => {
  const [memoryKib, passes, lanes] = numbersOf(parameters, ['m', 't', 'p']) ?? []
  if (memoryKib === undefined || passes === undefined || lanes === undefined || !VERSIONS.includes(version ?? ''))
    return { refusal: 'must have the argon2 version 19 or 16, and the parameters m, t and p' }
  // The library reads base64 without padding only.
  if (text.includes('=$') || text.endsWith('=') || salt.length < LEAST_SALT_BYTES)
    return { refusal: `must have an argon2 salt of at least ${LEAST_SALT_BYTES} bytes, in base64 without padding` }
  const isPossible = passes >= 1 && lanes >= 1 && memoryKib >= 8 * lanes
  if (!isPossible || memoryKib > bounds.memoryKib || memoryKib * passes > bounds.work || lanes > bounds.lanes)
    return { refusal: `must take at most ${bounds.memoryKib} KiB, m·t of at most ${bounds.work}, and ${bounds.lanes} lanes` }
  return { matches: (password) => verify(text, password) }
}
