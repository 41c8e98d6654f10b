import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import type { Milliseconds } from '../../shared/clock.ts'
import { toBase64 } from '../../shared/crypto/base64.ts'
import { type Logger, silentLogger } from '../../shared/logger.ts'
import { argon2Bounds, argon2Ms } from './formats/argon2.ts'
import { formatTrial } from './formats/format-trial.ts'
import { readHash } from './formats/read-hash.ts'
import { isRefused, type StoredHash } from './formats/stored-hash.ts'
import { hashLane } from './hash-lane.ts'
import type { PasswordHasher } from './hasher.ts'

/** Cost of argon2id (RFC 9106). The defaults are OWASP's: 19 MiB, two passes, one lane. */
export interface Argon2Options {
  readonly memoryKib?: number
  readonly passes?: number
  readonly lanes?: number
  /** The maximum number of concurrent hashes. Leave one core for the rest of the process. Other hashes have their own queue. */
  readonly concurrency?: number
  /** The longest estimated wait of a hash; beyond it, a hash is refused immediately. 1500 by default. */
  readonly longestWaitMs?: Milliseconds
  /**
   * A hash of an accepted format. The check of an unknown account takes as long as a check of this hash, if no other account is
   * given to imitate. For a host whose own user directory has hashes of another system; a hash of this hasher by default.
   */
  readonly unknownLike?: string
  /** Gets a line for each check that an error ended, for example because a native binary is missing. It counts as a mismatch. */
  readonly logger?: Logger
}

/** The value of `Algorithm.Argon2id`, which the library exports only as a type. */
const ARGON2ID = 2
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/

const unpadded = (bytes: Uint8Array): string => toBase64(bytes).replaceAll('=', '')

/** Returns a random hash that matches no password, and costs as much to check as a real one. It costs nothing at startup. */
const decoyHash = ({ memoryKib, passes, lanes }: { readonly [cost in 'memoryKib' | 'passes' | 'lanes']: number }): string =>
  `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$${unpadded(randomBytes(16))}$${unpadded(randomBytes(32))}`

/** The prefix of an imported hash that looks like ours. Without it, the hash would count as one of the NFKC form. */
const IMPORTED = 'imported:'

/** The most estimated time of a check that an import accepts without being asked. bcrypt of cost 12 takes less, of cost 13 more. */
const MOST_QUICK_MS = 300
const slowTakes = `must take at most an estimated ${MOST_QUICK_MS} ms to check, unless the import accepts slow hashes`

/** libuv computes four hashes at a time. Half of its threads stay free for our own hashes. */
const foreignConcurrency = (concurrency: number): number => (concurrency > 3 ? 2 : 1)

/**
 * Hashes passwords as argon2id PHC strings. Checks also imported hashes: bcrypt, scrypt, PBKDF2, other kinds of argon2 and
 * Firebase's scrypt, which the next login replaces. An unknown account is checked against a decoy hash. Hashes with other
 * parameters than this hasher's wait in a queue of their own, so that slow ones delay only their own logins.
 */
export const argon2Hasher = (options: Argon2Options = {}): PasswordHasher => {
  const { memoryKib = 19 * 1024, passes = 2, lanes = 1, concurrency = 1, longestWaitMs = 1500, logger = silentLogger } = options
  const cost = { algorithm: ARGON2ID, memoryCost: memoryKib, timeCost: passes, parallelism: lanes }
  const ownMs = argon2Ms(memoryKib, passes)
  const own = hashLane({ lane: 'own', concurrency, longestWaitMs })
  const foreign = hashLane({ lane: 'foreign', concurrency: foreignConcurrency(concurrency), longestWaitMs })
  const canCompute = formatTrial()
  // Hashes of this process may cost more than those from elsewhere.
  const bounds = {
    memoryKib: Math.max(memoryKib, argon2Bounds.memoryKib),
    work: Math.max(memoryKib * passes, argon2Bounds.work),
    lanes: Math.max(lanes, argon2Bounds.lanes),
  }
  const isOwn = (text: string): boolean => text.startsWith(`$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$`)
  const readable = (text: string | null): (StoredHash & { readonly own: boolean }) | undefined => {
    if (text === null) return undefined
    const read = readHash(text.startsWith(IMPORTED) ? text.slice(IMPORTED.length) : text, bounds)
    return isRefused(read) ? undefined : { ...read, own: isOwn(text) }
  }
  const ownDecoy = readable(decoyHash({ memoryKib, passes, lanes }))
  const decoy = options.unknownLike === undefined ? ownDecoy : readable(options.unknownLike)
  if (ownDecoy === undefined || decoy === undefined) throw new RangeError('the cost of argon2, or unknownLike, is not accepted')

  /** Tries every form, also after a match, so that the time does not depend on the hash. An error costs the work of a decoy. */
  const check = async (stored: StoredHash, forms: readonly string[]): Promise<boolean> => {
    try {
      let matches = false
      for (const form of forms) matches = (await stored.matches(form)) || matches
      return matches
    } catch (error) {
      const reason = error instanceof Error ? error.name : 'unknown'
      logger.error('password_check_failed', { format: stored.format, reason })
      await ownDecoy.matches('')
      return false
    }
  }

  return {
    hash: async (password) => own.run(ownMs, () => hash(password.normalize('NFKC'), cost)),
    verify: async (stored, password, guard, like = null) => {
      const known = readable(stored)
      const checked = known ?? readable(like) ?? decoy
      // Our own hashes are made of the NFKC form, so that the same input gives the same password on every platform
      // (NIST SP 800-63B-4 §3.1.1.2). Hashes from elsewhere were often made of the text as it was typed.
      const nfkc = password.normalize('NFKC')
      const forms = checked.own || nfkc === password ? [nfkc] : [nfkc, password]
      const lane = checked.own ? own : foreign
      const matches = await lane.run(checked.estimatedMs * forms.length, () => check(checked, forms), guard)
      return matches && known !== undefined
    },
    ensureRoom: own.ensureRoom,
    load: () => [own.load(), foreign.load()],
    isOutdated: (stored) => {
      const [, memory, time, lanesUsed] = PHC.exec(stored)?.map(Number) ?? []
      return memory === undefined || time === undefined || memory < memoryKib || time < passes || lanesUsed !== lanes
    },
    acceptHash: async (text, { acceptSlow = false } = {}) => {
      const read = readHash(text)
      if (isRefused(read)) return read
      if (!acceptSlow && read.estimatedMs > MOST_QUICK_MS) return { refusal: slowTakes }
      if (!(await canCompute(read.format))) return { refusal: `must not be ${read.format}, which this machine cannot compute` }
      return { hash: isOwn(text) ? `${IMPORTED}${text}` : text }
    },
  }
}
