import { fromAnyBase64 } from '../../../shared/crypto/base64.ts'

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

/** The parts of a hash of the form `$id$name=value,…$salt$digest`, undecoded. */
export interface PhcHash {
  readonly id: string
  /** The version, as in `v=19`, if the hash has a part for the version alone. */
  readonly version: string | undefined
  readonly parameters: ReadonlyMap<string, string>
  readonly salt: Uint8Array
  readonly digest: Uint8Array
}

const STANDARD_ALPHABET = /^[A-Za-z0-9+/]+={0,2}$/

/** Decodes strict standard base64, with or without padding. `undefined` for any other text. */
export const decodeBase64 = (text: string): Uint8Array | undefined =>
  STANDARD_ALPHABET.test(text) ? fromAnyBase64(text) : undefined

/** Reads `name=value,…`. A number alone is the number of rounds, as passlib writes it for PBKDF2. */
const readParameters = (text: string): ReadonlyMap<string, string> | undefined => {
  if (/^\d+$/.test(text)) return new Map([['i', text]])
  const pairs = text.split(',').map((pair) => /^([a-z]+)=(.+)$/.exec(pair)?.slice(1) as [string, string] | undefined)
  const parameters = new Map(pairs.filter((pair) => pair !== undefined))
  return parameters.size === pairs.length ? parameters : undefined
}

/** Reads a hash in the PHC string format. `undefined` for a text of another form. */
export const readPhc = (text: string): PhcHash | undefined => {
  const [start, id, ...rest] = text.split('$')
  const version = rest[0]?.startsWith('v=') === true && !rest[0].includes(',') ? rest.shift()?.slice('v='.length) : undefined
  if (start !== '' || id === undefined || rest.length !== 3) return undefined
  const parameters = readParameters(rest[0] ?? '')
  const salt = decodeBase64(rest[1] ?? '')
  const digest = decodeBase64(rest[2] ?? '')
  if (parameters === undefined || salt === undefined || digest === undefined) return undefined
  return { id, version, parameters, salt, digest }
}

/** A whole number without leading zeros, of at most ten digits. */
const WHOLE = /^(?:0|[1-9]\d{0,9})$/

/** Returns the whole numbers of exactly the named parameters, in this order; otherwise `undefined`. */
export const numbersOf = (parameters: ReadonlyMap<string, string>, names: readonly string[]): readonly number[] | undefined => {
  if (parameters.size !== names.length) return undefined
  const texts = names.map((name) => parameters.get(name) ?? '')
  return texts.every((text) => WHOLE.test(text)) ? texts.map(Number) : undefined
}
