import { createHash, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { PasskeyAlgorithm } from '@countersign/contract'
import { decodeCredentialPublicKey } from '@simplewebauthn/server/helpers'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import { isFitKey } from '../../shared/crypto/device-key.ts'
import { isSignatureOver } from '../../shared/crypto/device-signature.ts'
import { jwkThumbprint } from '../../shared/crypto/jwk-thumbprint.ts'
import type { Passkey } from '../records/passkey.ts'

type Labels = ReadonlyMap<number, unknown>

/** Labels of a COSE_Key (RFC 9052 §7.1; RFC 9053 §7.1.1; RFC 8230 §4). */
const KTY = 1
const ALG = 3
const EC2 = { kty: 2, crv: -1, x: -2, y: -3, p256: 1, coordinateBytes: 32, labels: 5 } as const
const RSA = { kty: 3, n: -1, e: -2, labels: 4 } as const

const bytesOf = (key: Labels, label: number): Uint8Array | undefined => {
  const value = key.get(label)
  return value instanceof Uint8Array ? value : undefined
}

const coordinateOf = (key: Labels, label: number): string | undefined => {
  const bytes = bytesOf(key, label)
  return bytes?.length === EC2.coordinateBytes ? toBase64Url(bytes) : undefined
}

const toEcJwk = (key: Labels): JsonWebKey | undefined => {
  const [x, y] = [coordinateOf(key, EC2.x), coordinateOf(key, EC2.y)]
  if (key.size !== EC2.labels || key.get(KTY) !== EC2.kty || key.get(EC2.crv) !== EC2.p256) return undefined
  return x === undefined || y === undefined ? undefined : { kty: 'EC', crv: 'P-256', x, y }
}

const toRsaJwk = (key: Labels): JsonWebKey | undefined => {
  const [n, e] = [bytesOf(key, RSA.n), bytesOf(key, RSA.e)]
  if (key.size !== RSA.labels || key.get(KTY) !== RSA.kty) return undefined
  return n === undefined || e === undefined ? undefined : { kty: 'RSA', n: toBase64Url(n), e: toBase64Url(e) }
}

/** The key format of each algorithm, and the name of the algorithm in the rest of the code. */
const kinds: Readonly<
  Record<PasskeyAlgorithm, { readonly name: 'ES256' | 'RS256'; readonly toJwk: (key: Labels) => JsonWebKey | undefined }>
> = {
  [-7]: { name: 'ES256', toJwk: toEcJwk },
  [-257]: { name: 'RS256', toJwk: toRsaJwk },
}

const isPasskeyAlgorithm = (algorithm: unknown): algorithm is PasskeyAlgorithm =>
  typeof algorithm === 'number' && Object.hasOwn(kinds, algorithm)

export interface CoseKey {
  readonly algorithm: PasskeyAlgorithm
  /** The name of the algorithm in the rest of the code. */
  readonly name: 'ES256' | 'RS256'
  readonly key: KeyObject
}

/**
 * Reads a COSE key of an offered algorithm, with exactly the members of its kind: a point on P-256, or RSA of 2048 to 8192 bits
 * with exponent 65537 (WebAuthn Level 3 §5.8.5, §6.5.1.1). Returns `undefined` for any other key.
 */
export const parseCoseKey = (coseKey: Uint8Array): CoseKey | undefined => {
  try {
    const labels = decodeCredentialPublicKey(new Uint8Array(coseKey)) as unknown as Labels
    const algorithm = labels.get(ALG)
    if (!isPasskeyAlgorithm(algorithm)) return undefined
    const { name, toJwk } = kinds[algorithm]
    const jwk = toJwk(labels)
    if (jwk === undefined) return undefined
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    return isFitKey(key, name) ? { algorithm, name, key } : undefined
  } catch {
    // The bytes are not a COSE key, or the point is not on the curve.
    return undefined
  }
}

/** Returns the RFC 7638 thumbprint of the passkey's public key. */
export const passkeyThumbprint = ({ publicKey }: Pick<Passkey, 'publicKey'>): string => {
  const parsed = parseCoseKey(new Uint8Array(Buffer.from(publicKey, 'base64url')))
  if (parsed === undefined) throw new TypeError('the key of a passkey is readable')
  return jwkThumbprint(parsed.key)
}

/** The signed data of an authenticator, and the signature. */
export interface Signed {
  readonly authenticatorData: Uint8Array
  readonly clientData: Uint8Array
  readonly signature: Uint8Array
}

/** Returns whether the key signed the data of the authenticator (WebAuthn Level 3 §6.3.3, §6.5.5); ES256 only in strict DER. */
export const isSignedWith = ({ key, name }: CoseKey, { authenticatorData, clientData, signature }: Signed): boolean => {
  const hash = createHash('sha256').update(clientData).digest()
  return isSignatureOver(key, name, Buffer.concat([authenticatorData, hash]), signature)
}
