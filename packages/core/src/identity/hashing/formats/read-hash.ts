import { type Argon2Bounds, isArgon2, readArgon2 } from './argon2.ts'
import { readBcrypt } from './bcrypt.ts'
import { readFirebaseScrypt } from './firebase-scrypt.ts'
import { isPbkdf2, readPbkdf2 } from './pbkdf2.ts'
import { readScrypt } from './scrypt.ts'
import {
  LEAST_DIGEST_BYTES,
  MOST_CHARACTERS,
  MOST_DIGEST_BYTES,
  type RefusedHash,
  readPhc,
  type StoredHash,
} from './stored-hash.ts'

const formatTakes =
  'must be a hash in PHC or modular crypt format: argon2id, argon2i, argon2d, bcrypt ($2b$), scrypt, pbkdf2-sha256, pbkdf2-sha512, pbkdf2-sha1 or fbscrypt'

/** Passlib writes `.` in place of `+` in the base64 of PBKDF2. */
const inPlainBase64 = (text: string): string => (text.startsWith('$pbkdf2') ? text.replaceAll('.', '+') : text)

/** Reads a password hash of any known format, within the greatest cost of argon2. Checks form and cost, and computes nothing. */
export const readHash = (text: string, argon2?: Argon2Bounds): StoredHash | RefusedHash => {
  if (text.length > MOST_CHARACTERS) return { refusal: `must be at most ${MOST_CHARACTERS} characters` }
  if (text.startsWith('$2')) return readBcrypt(text)
  const hash = readPhc(inPlainBase64(text))
  if (hash === undefined) return { refusal: formatTakes }
  if (hash.digest.length < LEAST_DIGEST_BYTES || hash.digest.length > MOST_DIGEST_BYTES)
    return { refusal: `must have a digest of ${LEAST_DIGEST_BYTES} to ${MOST_DIGEST_BYTES} bytes` }
  if (isArgon2(hash.id)) return readArgon2(hash.id, hash, argon2)
  if (hash.id === 'scrypt') return readScrypt(hash)
  if (hash.id === 'fbscrypt') return readFirebaseScrypt(hash)
  if (isPbkdf2(hash.id)) return readPbkdf2(hash)
  return { refusal: formatTakes }
}
