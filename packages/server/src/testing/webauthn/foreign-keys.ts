import { constants, generateKeyPairSync, type KeyObject, type SignKeyObjectInput, sign } from 'node:crypto'
import type { CborValue, CreationChanges } from '@countersign/core/testing'

/** Foreign keys that a ceremony must refuse, although they are valid otherwise. Each replaces the key of a new ES256 passkey. */

type Labels = Readonly<Record<number, CborValue | undefined>>
type ForeignKey = Pick<CreationChanges, 'coseKey' | 'signature'>

const bytes = (text = ''): Uint8Array => new Uint8Array(Buffer.from(text, 'base64url'))

/** Signs the self attestation with this key, so that the signature is valid. */
const signedBy =
  (privateKey: KeyObject, hash: string | null, options: Omit<SignKeyObjectInput, 'key'> = {}) =>
  (_: Uint8Array, signed: Uint8Array): Uint8Array =>
    sign(hash, signed, { key: privateKey, ...options })

/** An elliptic curve with both coordinates (RFC 9053 §7.1.1). */
const ec = (algorithm: number, curve: number, namedCurve: string, hash: string): ForeignKey => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const coseKey: Labels = { 1: 2, 3: algorithm, [-1]: curve, [-2]: bytes(x), [-3]: bytes(y) }
  return { coseKey, signature: signedBy(privateKey, hash) }
}

/** A curve with one coordinate (RFC 9053 §7.2). */
const okp = (algorithm: number, curve: number, pair: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }) => {
  const { x } = pair.publicKey.export({ format: 'jwk' })
  const coseKey: Labels = { 1: 1, 3: algorithm, [-1]: curve, [-2]: bytes(x), [-3]: undefined }
  return { coseKey, signature: signedBy(pair.privateKey, null) }
}

interface RsaKind {
  readonly modulusLength?: number
  readonly publicExponent?: number
  readonly padding?: number
}

/** RSA (RFC 8230 §4). The key has the same form for all RSA algorithms. */
const rsa = (algorithm: number, hash: string, kind: RsaKind = {}): ForeignKey => {
  const { modulusLength = 2048, publicExponent = 0x10001, padding = constants.RSA_PKCS1_PADDING } = kind
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength, publicExponent })
  const { n, e } = publicKey.export({ format: 'jwk' })
  const coseKey: Labels = { 1: 3, 3: algorithm, [-1]: bytes(n), [-2]: bytes(e), [-3]: undefined }
  return { coseKey, signature: signedBy(privateKey, hash, { padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }) }
}

/** Keys without parameters: ML-DSA (FIPS 204). */
const mlDsa44 = (): ForeignKey => {
  const { publicKey, privateKey } = generateKeyPairSync('ml-dsa-44')
  // The SPKI ends with the key of 1312 bytes.
  const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-1312))
  return { coseKey: { 1: 7, 3: -48, [-1]: raw, [-2]: undefined, [-3]: undefined }, signature: signedBy(privateKey, null) }
}

const padding = constants.RSA_PKCS1_PSS_PADDING

/** Keys of algorithms that the service does not offer, by name. */
export const foreignKeys = {
  ES384: () => ec(-35, 2, 'secp384r1', 'sha384'),
  ES512: () => ec(-36, 3, 'secp521r1', 'sha512'),
  ES256K: () => ec(-47, 8, 'secp256k1', 'sha256'),
  'ESP256, which is ES256 under its newer number,': () => ({ coseKey: { 3: -9 } }),
  EdDSA: () => okp(-8, 6, generateKeyPairSync('ed25519')),
  Ed25519: () => okp(-19, 6, generateKeyPairSync('ed25519')),
  Ed448: () => okp(-53, 7, generateKeyPairSync('ed448')),
  RS384: () => rsa(-258, 'sha384'),
  RS512: () => rsa(-259, 'sha512'),
  RS1: () => rsa(-65_535, 'sha1'),
  PS256: () => rsa(-37, 'sha256', { padding }),
  PS384: () => rsa(-38, 'sha384', { padding }),
  PS512: () => rsa(-39, 'sha512', { padding }),
  'ML-DSA-44': mlDsa44,
  'HMAC, which is not a signature,': () => ({ coseKey: { 3: 5 } }),
  'a number that is not an algorithm': () => ({ coseKey: { 3: 0 } }),
  'an algorithm written as text': () => ({ coseKey: { 3: 'ES256' } }),
} as const satisfies Readonly<Record<string, () => ForeignKey>>

/** Malformed keys of offered algorithms. */
export const unfitKeys: Readonly<Record<string, () => ForeignKey>> = {
  'ES256 on another curve': () => ec(-7, 2, 'secp384r1', 'sha256'),
  'ES256 with coordinates of another curve': () => ({ coseKey: { [-1]: 2 } }),
  'ES256 with a point that is not on the curve': () => ({
    coseKey: { [-2]: new Uint8Array(32).fill(1), [-3]: new Uint8Array(32).fill(1) },
  }),
  'ES256 with the point at infinity': () => ({ coseKey: { [-2]: new Uint8Array(32), [-3]: new Uint8Array(32) } }),
  'ES256 with a compressed point': () => ({ coseKey: { [-3]: true } }),
  'ES256 with a coordinate that is too short': () => ({ coseKey: { [-2]: new Uint8Array(31).fill(1) } }),
  'ES256 of the kind of RS256': () => ({ coseKey: { 1: 3 } }),
  'RS256 of the kind of ES256': () => ({ coseKey: { 3: -257 } }),
  'RS256 of 1024 bits': () => rsa(-257, 'sha256', { modulusLength: 1024 }),
  'RS256 with the exponent 3': () => rsa(-257, 'sha256', { publicExponent: 3 }),
}
