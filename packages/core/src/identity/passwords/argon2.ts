import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { toBase64 } from '../../shared/crypto/base64.ts'
import { Overloaded } from '../../shared/errors.ts'
import type { PasswordHasher } from './hasher.ts'

/** Cost of argon2id (RFC 9106). The defaults are OWASP's: 19 MiB, two passes, one lane. */
export interface Argon2Options {
  readonly memoryKib?: number
  readonly passes?: number
  readonly lanes?: number
  /** The maximum number of concurrent hashes. Leave one core for the rest of the process. */
  readonly concurrency?: number
  /** The maximum number of waiting hashes. Further hashes are refused immediately, so that waiting times stay short. */
  readonly queue?: number
}

/** The value of `Algorithm.Argon2id`, which the library exports only as a type. */
const ARGON2ID = 2
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/

const unpadded = (bytes: Uint8Array): string => toBase64(bytes).replaceAll('=', '')

/**
 * Returns a random hash with these parameters that matches no password. A check against it costs the same as a real check.
 * Random bytes cost nothing at startup, unlike a real hash.
 */
const decoyHash = ({ memoryKib, passes, lanes }: { readonly [cost in 'memoryKib' | 'passes' | 'lanes']: number }): string =>
  `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$${unpadded(randomBytes(16))}$${unpadded(randomBytes(32))}`

/**
 * Hashes passwords as argon2id PHC strings. Passwords for unknown accounts are checked against a decoy hash with the same
 * parameters.
 */
export const argon2Hasher = (options: Argon2Options = {}): PasswordHasher => {
  const { memoryKib = 19 * 1024, passes = 2, lanes = 1, concurrency = 1, queue = 64 * concurrency } = options
  const cost = { algorithm: ARGON2ID, memoryCost: memoryKib, timeCost: passes, parallelism: lanes }
  const turns = pLimit(concurrency)
  const decoy = decoyHash({ memoryKib, passes, lanes })

  const ensureRoom = (): void => {
    if (turns.activeCount + turns.pendingCount >= concurrency + queue)
      throw new Overloaded('Too many logins at once', 'passwords_waiting')
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    ensureRoom()
    return turns(work)
  }

  return {
    // NFKC, so that the same input gives the same password on every platform (NIST SP 800-63B-4 §3.1.1.2).
    hash: async (password) => inTurn(() => hash(password.normalize('NFKC'), cost)),
    verify: async (stored, password, guard) =>
      inTurn(async () => {
        await guard?.()
        const matches = await verify(stored ?? decoy, password.normalize('NFKC'))
        return matches && stored !== null
      }),
    ensureRoom,
    load: () => ({ running: turns.activeCount, waiting: turns.pendingCount, queue }),
    isOutdated: (stored) => {
      const [, memory, time, lanesUsed] = PHC.exec(stored)?.map(Number) ?? []
      return memory === undefined || time === undefined || memory < memoryKib || time < passes || lanesUsed !== lanes
    },
  }
}
