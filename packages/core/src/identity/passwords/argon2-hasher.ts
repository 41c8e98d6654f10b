import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { toBase64 } from '../../shared/crypto/base64.ts'
import { Overloaded } from '../../shared/errors.ts'
import { argon2Bounds } from './formats/argon2.ts'
import { readHash } from './formats/read-hash.ts'
import { isRefused, type StoredHash } from './formats/stored-hash.ts'
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
  /**
   * A hash of an accepted format. The check of an unknown account takes as long as a check of this hash, where no other account is
   * given to imitate. For a host whose own user directory has hashes of another system; a hash of this hasher by default.
   */
  readonly unknownLike?: string
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
 * Returns the forms of a password that a check tries. New hashes are made of the NFKC form, so that the same input gives the same
 * password on every platform (NIST SP 800-63B-4 §3.1.1.2). Hashes from elsewhere were often made of the text as it was typed.
 */
const formsOf = (password: string): readonly string[] => [...new Set([password.normalize('NFKC'), password])]

/** Tries every form, also after a match, so that the time does not depend on the hash. */
const check = async (stored: StoredHash, password: string): Promise<boolean> => {
  let matches = false
  for (const form of formsOf(password)) matches = (await stored.matches(form)) || matches
  return matches
}

/**
 * Hashes passwords as argon2id PHC strings. Checks also imported hashes: bcrypt, scrypt, PBKDF2, other kinds of argon2 and
 * Firebase's scrypt. They count as outdated, so that the next login replaces them. Passwords for unknown accounts are checked
 * against a decoy hash.
 */
export const argon2Hasher = (options: Argon2Options = {}): PasswordHasher => {
  const { memoryKib = 19 * 1024, passes = 2, lanes = 1, concurrency = 1, queue = 64 * concurrency } = options
  const cost = { algorithm: ARGON2ID, memoryCost: memoryKib, timeCost: passes, parallelism: lanes }
  const turns = pLimit(concurrency)
  // Hashes of this process may cost more than those from elsewhere.
  const bounds = {
    memoryKib: Math.max(memoryKib, argon2Bounds.memoryKib),
    work: Math.max(memoryKib * passes, argon2Bounds.work),
    lanes: Math.max(lanes, argon2Bounds.lanes),
  }
  const readable = (text: string | null): StoredHash | undefined => {
    const read = text === null ? undefined : readHash(text, bounds)
    return read === undefined || isRefused(read) ? undefined : read
  }
  const decoy = readable(options.unknownLike ?? decoyHash({ memoryKib, passes, lanes }))
  if (decoy === undefined) throw new RangeError('the cost of argon2, or unknownLike, is not accepted')

  const ensureRoom = (): void => {
    if (turns.activeCount + turns.pendingCount >= concurrency + queue)
      throw new Overloaded('Too many logins at once', 'passwords_waiting')
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    ensureRoom()
    return turns(work)
  }

  return {
    hash: async (password) => inTurn(() => hash(password.normalize('NFKC'), cost)),
    verify: async (stored, password, guard, like = null) =>
      inTurn(async () => {
        await guard?.()
        const known = readable(stored)
        const matches = await check(known ?? readable(like) ?? decoy, password)
        return matches && known !== undefined
      }),
    ensureRoom,
    load: () => ({ running: turns.activeCount, waiting: turns.pendingCount, queue }),
    isOutdated: (stored) => {
      const [, memory, time, lanesUsed] = PHC.exec(stored)?.map(Number) ?? []
      return memory === undefined || time === undefined || memory < memoryKib || time < passes || lanesUsed !== lanes
    },
    refusalOf: (text) => {
      const read = readHash(text)
      return isRefused(read) ? read.refusal : undefined
    },
  }
}
