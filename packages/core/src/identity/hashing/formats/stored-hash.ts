/** The formats of hashes from elsewhere, and of our own. */
export const hashFormats = [
  'argon2id',
  'argon2i',
  'argon2d',
  'bcrypt',
  'scrypt',
  'fbscrypt',
  'pbkdf2-sha1',
  'pbkdf2-sha256',
  'pbkdf2-sha512',
] as const

export type HashFormat = (typeof hashFormats)[number]

/** A password hash that can be checked. */
export interface StoredHash {
  readonly format: HashFormat
  /** The estimated time of a check on one core of a common server, in milliseconds. A guess by format and cost. */
  readonly estimatedMs: number
  /** Returns whether the text is the password. Runs off the event loop. */
  matches(password: string): Promise<boolean>
}

/** The reason why a hash is not accepted. The text continues a sentence that begins with the name of the field. */
export interface RefusedHash {
  readonly refusal: string
}

export const isRefused = (read: StoredHash | RefusedHash): read is RefusedHash => 'refusal' in read

/** The longest accepted text of a hash. The longest real ones, of Firebase, have about 300 characters. */
export const MOST_CHARACTERS = 1024

/** The fewest bytes of a digest. A shorter digest would match a wrong password by chance. */
export const LEAST_DIGEST_BYTES = 16
export const MOST_DIGEST_BYTES = 128

/** The most memory that a check may take. As many checks run at the same time as the hasher allows. */
export const MOST_MEMORY_KIB = 128 * 1024
