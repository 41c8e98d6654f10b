import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { KeyAlgorithm } from '@countersign/contract'
import { toSpkiPem } from '../shared/crypto/device-key.ts'

export interface DeviceKeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

/** The encoding of ES256 signatures: `der` as on Android and iOS, `p1363` (r‖s) as in WebCrypto. */
export type SignatureForm = 'der' | 'p1363'

export interface TestDeviceOptions {
  /** The default of `SignOptions.form`; `der` if left out. */
  readonly form?: SignatureForm
  /** An existing key pair. RSA keys are slow to make; RS256 and PS256 can share a key pair. */
  readonly keyPair?: DeviceKeyPair
}

export interface SignOptions {
  /** The signed data: the base64 text of the challenge (the default), or the bytes that the text encodes. */
  readonly over?: 'text' | 'bytes'
  /** The form of the signature; only ES256 has several. */
  readonly form?: SignatureForm
  /** `base64` with padding (the default), `base64url` without. */
  readonly encoding?: 'base64' | 'base64url'
}

/** A device in software, which has a key pair and signs challenges. */
export interface TestDevice {
  readonly keyAlgorithm: KeyAlgorithm
  /** The public key as SPKI in PEM. */
  readonly publicKey: string
  readonly keyPair: DeviceKeyPair
  /** Returns the signature of a challenge as text. */
  sign(challenge: string, options?: SignOptions): string
}

/** Makes a key pair for the algorithm: P-256, or RSA of 2048 bits. */
export const generateDeviceKeyPair = (algorithm: KeyAlgorithm): DeviceKeyPair =>
  algorithm === 'ES256'
    ? generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    : generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 0x10001 })

const signingKey = (algorithm: KeyAlgorithm, key: KeyObject, form: SignatureForm) => {
  if (algorithm === 'ES256') return { key, dsaEncoding: form === 'der' ? ('der' as const) : ('ieee-p1363' as const) }
  if (algorithm === 'PS256') return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
  return { key, padding: constants.RSA_PKCS1_PADDING }
}

export const createTestDevice = (algorithm: KeyAlgorithm, options: TestDeviceOptions = {}): TestDevice => {
  const keyPair = options.keyPair ?? generateDeviceKeyPair(algorithm)
  return {
    keyAlgorithm: algorithm,
    publicKey: toSpkiPem(keyPair.publicKey),
    keyPair,
    sign: (challenge, { over = 'text', form = options.form ?? 'der', encoding = 'base64' } = {}) => {
      const message = Buffer.from(challenge, over === 'text' ? 'utf8' : 'base64')
      return sign('sha256', message, signingKey(algorithm, keyPair.privateKey, form)).toString(encoding)
    },
  }
}
