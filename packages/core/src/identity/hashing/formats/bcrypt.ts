import type { RefusedHash, StoredHash } from './stored-hash.ts'

/** The greatest accepted cost. Each step doubles the time. */
const MOST_BCRYPT_COST = 14
const LEAST_COST = 4

const MS_OF_COST_0 = 0.056

/** The last characters of salt and digest encode fewer than six bits, so only some characters are possible. */
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/

/** Reads a bcrypt hash: `$2b$`, `$2a$` or `$2y$`, not the faulty `$2x$`. A check reads only the first 72 bytes of a password. */
export const readBcrypt = (text: string): StoredHash | RefusedHash => {
  const cost = Number(BCRYPT.exec(text)?.[1])
  if (Number.isNaN(cost)) return { refusal: 'must be a whole bcrypt hash, such as $2b$10$ and 53 characters' }
  if (cost < LEAST_COST || cost > MOST_BCRYPT_COST)
    return { refusal: `must have a bcrypt cost of ${LEAST_COST} to ${MOST_BCRYPT_COST}` }
  return {
    format: 'bcrypt',
    estimatedMs: MS_OF_COST_0 * 2 ** cost,
    matches: async (password) => {
      const { verify } = await import('@node-rs/bcrypt')
      return verify(password, text)
    },
  }
}
