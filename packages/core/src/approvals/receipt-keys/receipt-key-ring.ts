import { createECDH, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { fromBase64Url } from '../../shared/crypto/base64.ts'
import { jwkThumbprint } from '../../shared/crypto/jwk-thumbprint.ts'
import { InvalidKeyRing } from '../../shared/crypto/key-ring.ts'

/** The signature algorithms of receipts: `Ed25519` (RFC 9864) by default, and `ES256` (RFC 7518 §3.4). */
export const receiptAlgorithms = ['Ed25519', 'ES256'] as const
export type ReceiptAlgorithm = (typeof receiptAlgorithms)[number]

/** The public half of a receipt key, with the required members of its type (RFC 7517, RFC 8037). */
export type ReceiptJwk =
  | { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string }
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }

/** A key that signs receipts. */
export interface ReceiptSigningKey {
  /** The RFC 7638 thumbprint. */
  readonly kid: string
  readonly alg: ReceiptAlgorithm
  readonly jwk: ReceiptJwk
  readonly privateKey: KeyObject
}

/** The keys of receipts, and of nothing else. The first usable key signs. */
export interface ReceiptKeyRing {
  readonly keys: readonly ReceiptSigningKey[]
}

const PRIVATE_BYTES = 32
/** The DER of an Ed25519 private key before its 32 bytes (RFC 8410 §7). */
const ED25519_PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex')

const ed25519Key = (d: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([ED25519_PKCS8_START, d]), format: 'der', type: 'pkcs8' })

const p256Key = (d: Uint8Array): KeyObject => {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(d)
  const point = ecdh.getPublicKey()
  const member = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', d: member(d), x: member(point.subarray(1, 33)), y: member(point.subarray(33)) }
  return createPrivateKey({ key: jwk, format: 'jwk' })
}

const isAlgorithm = (text: string): text is ReceiptAlgorithm => receiptAlgorithms.some((alg) => alg === text)

const signingKey = (alg: ReceiptAlgorithm, d: Uint8Array): ReceiptSigningKey => {
  const privateKey = alg === 'Ed25519' ? ed25519Key(d) : p256Key(d)
  const { d: _, ...jwk } = privateKey.export({ format: 'jwk' })
  return { kid: jwkThumbprint(privateKey), alg, jwk: jwk as unknown as ReceiptJwk, privateKey }
}

const readEntry = (entry: string, place: string): ReceiptSigningKey => {
  const [alg = '', text = '', ...rest] = entry.split(':')
  if (!isAlgorithm(alg) || rest.length > 0)
    throw new InvalidKeyRing(`${place} must have the form Ed25519:base64url or ES256:base64url`)
  const d = fromBase64Url(text)
  if (d?.length !== PRIVATE_BYTES) throw new InvalidKeyRing(`${place} must hold a private key of exactly 256 bits in base64url`)
  if (new Set(d).size < 8) throw new InvalidKeyRing(`${place} is not random`)
  try {
    return signingKey(alg, d)
  } catch (cause) {
    throw new InvalidKeyRing(`${place} is no private key of its algorithm`, { cause })
  }
}

/**
 * Reads `ALG:base64url[,ALG:base64url…]`: each entry is the private key `d` of 32 bytes (RFC 8037 §2, RFC 7518 §6.2.2.1).
 * @throws InvalidKeyRing naming the entry by its position. The message never shows a key.
 */
export const parseReceiptKeyRing = (text: string): ReceiptKeyRing => {
  if (typeof text !== 'string') throw new InvalidKeyRing('must be text of the form Ed25519:base64url')
  if (/-----|BEGIN |LS0tLS/.test(text)) throw new InvalidKeyRing('looks like PEM, which is not the form of a receipt key')
  const keys = text.split(',').map((entry, index) => readEntry(entry, `entry ${index + 1}`))
  const repeated = keys.findIndex(({ kid }, index) => keys.findIndex((key) => key.kid === kid) !== index)
  if (repeated >= 0) throw new InvalidKeyRing(`entry ${repeated + 1} repeats a key`)
  return { keys }
}

/**
 * Returns the text of a new ring with one key, for `parseReceiptKeyRing`. No id of a new key begins with a hyphen, because a
 * command would read it as an option. @throws InvalidKeyRing for another algorithm
 */
export const generateReceiptKeyRing = (alg: ReceiptAlgorithm = 'Ed25519'): string => {
  if (!isAlgorithm(alg)) throw new InvalidKeyRing('generateReceiptKeyRing takes Ed25519 or ES256')
  for (;;) {
    const { privateKey } =
      alg === 'Ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    if (!jwkThumbprint(privateKey).startsWith('-')) return `${alg}:${privateKey.export({ format: 'jwk' }).d ?? ''}`
  }
}

/** Checks a ring that a host gives. @throws InvalidKeyRing */
export const requireReceiptKeyRing = (name: string, ring: ReceiptKeyRing): void => {
  const keys: readonly (Partial<ReceiptSigningKey> | null)[] = Array.isArray(ring?.keys) ? ring.keys : []
  if (keys.length === 0 || !keys.every((key) => key?.privateKey?.type === 'private')) {
    throw new InvalidKeyRing(`${name} must be a ring of receipt keys, as parseReceiptKeyRing reads it`)
  }
}
