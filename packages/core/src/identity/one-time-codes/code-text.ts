import { createHash } from 'node:crypto'
import type { Random } from '../../shared/random.ts'

/** The digits of Crockford base32. The letters I, L, O and U are missing, because people confuse them with others. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const LENGTH = 26

/** Returns a new code: 26 digits of Crockford base32, that is 130 random bits. */
export const newCodeText = (random: Random): string =>
  // 256 is a multiple of 32, so the low five bits of a random byte are evenly distributed.
  Array.from(random.bytes(LENGTH), (byte) => DIGITS[byte & 31]).join('')

/** Returns the code as it was issued: in upper case, without hyphens and spaces, with O read as zero, and I and L as one. */
const normalised = (typed: string): string =>
  typed.replaceAll(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1')

/** Returns the hash by which the storage finds a code. It needs no salt and no key, because a code has 130 random bits. */
export const hashOfCode = (text: string): string =>
  createHash('sha256')
    .update(`countersign.one-time-code.v1\0${normalised(text)}`)
    .digest('base64url')
