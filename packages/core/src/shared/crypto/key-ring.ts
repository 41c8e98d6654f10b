import { hkdfSync } from 'node:crypto'
import type { Random } from '../random.ts'
import { fromBase64Url, toBase64Url } from './base64.ts'

/** Secrets by key id. The first key signs or encrypts. All keys verify or decrypt, so that keys can be rotated. */
export interface KeyRing {
  readonly current: { readonly kid: string; readonly secret: Uint8Array }
  readonly secrets: ReadonlyMap<string, Uint8Array>
}

/** The key ring is invalid. The message names the entry by its position, and never shows a secret. */
export class InvalidKeyRing extends Error {
  override readonly name = 'InvalidKeyRing'
}

const KID = /^[A-Za-z0-9_-]{1,64}$/
const SECRET_BYTES = 32
/** The longest secret. A certificate or key file that was pasted by mistake is longer. */
const MOST_SECRET_BYTES = 128

const requireLength = (place: string, secret: Uint8Array, exactly: boolean): void => {
  if (exactly ? secret.length !== SECRET_BYTES : secret.length < SECRET_BYTES || secret.length > MOST_SECRET_BYTES) {
    throw new InvalidKeyRing(`${place} must hold a secret of ${exactly ? 'exactly' : 'at least'} 256 bits`)
  }
}

/**
 * Reads `kid:base64url[,kid:base64url…]`.
 * @param exactly Whether secrets must have exactly 256 bits (encryption), or at least 256 bits (HMAC: RFC 7518 §3.2).
 * @throws InvalidKeyRing also for a secret that is short, repeated or PEM (RFC 8725 §3.5), and for a repeated key id
 */
export const parseKeyRing = (text: string, { exactly = false }: { exactly?: boolean } = {}): KeyRing => {
  if (typeof text !== 'string') throw new InvalidKeyRing('must be text of the form kid:base64url')
  if (/-----|BEGIN |LS0tLS/.test(text)) throw new InvalidKeyRing('looks like PEM, which is no secret of ours')
  const secrets = new Map<string, Uint8Array>()
  const seen = new Set<string>()
  let current: KeyRing['current'] | undefined
  for (const [index, entry] of text.split(',').entries()) {
    const place = `entry ${index + 1}`
    const colon = entry.indexOf(':')
    const kid = entry.slice(0, colon)
    if (colon < 1 || !KID.test(kid)) throw new InvalidKeyRing(`${place} must have the form kid:base64url`)
    const secret = fromBase64Url(entry.slice(colon + 1))
    if (secret === undefined) throw new InvalidKeyRing(`${place} must hold its secret as base64url without padding`)
    requireLength(place, secret, exactly)
    if (secrets.has(kid)) throw new InvalidKeyRing(`${place} repeats a key id`)
    const identity = toBase64Url(secret)
    if (seen.has(identity)) throw new InvalidKeyRing(`${place} repeats a secret`)
    if (new Set(secret).size < 8) throw new InvalidKeyRing(`${place} is not random`)
    seen.add(identity)
    secrets.set(kid, secret)
    current ??= { kid, secret }
  }
  if (current === undefined) throw new InvalidKeyRing('must hold at least one key')
  return { current, secrets }
}

const isKeyRing = (ring: Partial<KeyRing> | null | undefined): boolean =>
  ring?.secrets instanceof Map &&
  [ring.current?.secret, ring.secrets.get(ring.current?.kid), ...ring.secrets.values()].every((one) => one instanceof Uint8Array)

/**
 * Checks a key ring that a host gives, which `parseKeyRing` may not have made. @throws InvalidKeyRing
 * @param name The name of the option, for the error message.
 * @param exactly See `parseKeyRing`.
 */
export const requireKeyRing = (name: string, ring: KeyRing, { exactly = false }: { exactly?: boolean } = {}): void => {
  if (!isKeyRing(ring)) throw new InvalidKeyRing(`${name} must be a key ring, as parseKeyRing reads it`)
  for (const [index, secret] of [...ring.secrets.values(), ring.current.secret].entries()) {
    const place = index === ring.secrets.size ? 'the current key' : `entry ${index + 1}`
    requireLength(`${name}: ${place}`, secret, exactly)
  }
}

/** Returns the text of a new key ring with one random 256-bit key, for `parseKeyRing`. */
export const generateKeyRing = (random: Random): string =>
  `k${Buffer.from(random.bytes(4)).toString('hex')}:${toBase64Url(random.bytes(SECRET_BYTES))}`

/** Derives a 256-bit key for one purpose (HKDF-SHA256, RFC 5869), so that no token verifies for another (RFC 8725 §3.9). */
export const deriveKey = (secret: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), `countersign/v1/${purpose}`, 32))
