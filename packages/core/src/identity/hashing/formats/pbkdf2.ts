import { pbkdf2, timingSafeEqual } from 'node:crypto'
import { type HashFormat, numbersOf, type PhcHash, type RefusedHash, type StoredHash } from './stored-hash.ts'

interface HashFunction {
  readonly name: string
  readonly blockBytes: number
  /** The greatest accepted number of iterations. It takes about a second. */
  readonly most: number
  readonly format: HashFormat
  /** The estimated time of one iteration, in milliseconds. */
  readonly iterationMs: number
}

const sha1: HashFunction = { name: 'sha1', format: 'pbkdf2-sha1', blockBytes: 20, most: 2_000_000, iterationMs: 0.000_15 }

/** The functions by the id of the hash. */
const functions: Readonly<Record<string, HashFunction>> = {
  pbkdf2: sha1,
  'pbkdf2-sha1': sha1,
  'pbkdf2-sha256': { name: 'sha256', format: 'pbkdf2-sha256', blockBytes: 32, most: 2_000_000, iterationMs: 0.000_15 },
  'pbkdf2-sha512': { name: 'sha512', format: 'pbkdf2-sha512', blockBytes: 64, most: 1_000_000, iterationMs: 0.000_4 },
}

export const isPbkdf2 = (id: string): boolean => Object.hasOwn(functions, id)

/**
 * Reads a PBKDF2 hash: `$pbkdf2-sha256$i=600000,l=32$salt$digest`, or passlib's `$pbkdf2-sha256$600000$salt$digest`. The blocks of
 * a digest are computed independently, so a check computes and compares the first block only.
 */
export const readPbkdf2 = ({ id, version, parameters, salt, digest }: PhcHash): StoredHash | RefusedHash => {
  const { name, format, blockBytes, most, iterationMs } = functions[id] ?? sha1
  const [iterations] = numbersOf(parameters, ['i']) ?? numbersOf(parameters, ['i', 'l']) ?? []
  const length = Number(parameters.get('l') ?? digest.length)
  if (iterations === undefined || iterations === 0 || version !== undefined || length !== digest.length)
    return { refusal: 'must have the pbkdf2 parameter i, and l only as the length of the digest' }
  if (iterations > most) return { refusal: `must have at most ${most} pbkdf2 iterations` }
  const firstBlock = digest.subarray(0, blockBytes)
  const derive = (password: string): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      pbkdf2(password, salt, iterations, firstBlock.length, name, (error, key) => (error === null ? resolve(key) : reject(error)))
    })
  return {
    format,
    estimatedMs: iterations * iterationMs,
    matches: async (password) => timingSafeEqual(await derive(password), firstBlock),
  }
}
