import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { MOST_MEMORY_KIB, numbersOf, type PhcHash, type RefusedHash, type StoredHash } from './stored-hash.ts'

/** The greatest accepted product of N, r and p: OWASP's strongest setting, N=2^17, r=8, p=1. */
const MOST_WORK = 2 ** 20

/** The estimated time for a product N·r·p of 1, in milliseconds. */
const MS_PER_WORK = 0.000_8

/** The cost of scrypt (RFC 7914): N is 2 to the power of `logN`. */
export interface ScryptCost {
  readonly logN: number
  readonly blockSize: number
  readonly parallelization: number
}

/** The message for a cost outside of the bounds. */
export const scryptCostTakes = `must have a scrypt cost N·r·p of at most ${MOST_WORK}, take at most ${MOST_MEMORY_KIB / 1024} MiB, and have N below 2^(16·r)`

const scryptWork = ({ logN, blockSize, parallelization }: ScryptCost): number => 2 ** logN * blockSize * parallelization

export const scryptMs = (cost: ScryptCost): number => scryptWork(cost) * MS_PER_WORK

/** Returns whether a check of this cost is accepted. One block of scrypt is 128 bytes. RFC 7914 §2 bounds N by the block size. */
export const isScryptCostAccepted = (cost: ScryptCost): boolean => {
  const { logN, blockSize, parallelization } = cost
  if (logN < 1 || parallelization < 1 || logN >= 16 * blockSize) return false
  const memoryKib = (2 ** logN * blockSize) / 8
  return memoryKib <= MOST_MEMORY_KIB && scryptWork(cost) <= MOST_WORK
}

/** Derives a key of `bytes` bytes, on a thread of the pool. */
export const deriveScrypt = (password: string, salt: Uint8Array, bytes: number, cost: ScryptCost): Promise<Buffer> => {
  const { logN, blockSize: r, parallelization: p } = cost
  const N = 2 ** logN
  // OpenSSL counts some blocks more than N · r.
  const options: ScryptOptions = { N, r, p, maxmem: 128 * r * (N + p + 2) + 1024 }
  return new Promise((resolve, reject) => {
    scrypt(password, salt, bytes, options, (error, key) => (error === null ? resolve(key) : reject(error)))
  })
}

/** Reads a scrypt hash: `$scrypt$ln=14,r=8,p=1$salt$digest`, as passlib writes it. */
export const readScrypt = ({ parameters, version, salt, digest }: PhcHash): StoredHash | RefusedHash => {
  const [logN, blockSize, parallelization] = numbersOf(parameters, ['ln', 'r', 'p']) ?? []
  if (version !== undefined || logN === undefined || blockSize === undefined || parallelization === undefined)
    return { refusal: 'must have the scrypt parameters ln, r and p' }
  const cost = { logN, blockSize, parallelization }
  if (!isScryptCostAccepted(cost)) return { refusal: scryptCostTakes }
  return {
    format: 'scrypt',
    estimatedMs: scryptMs(cost),
    matches: async (password) => timingSafeEqual(await deriveScrypt(password, salt, digest.length, cost), digest),
  }
}
