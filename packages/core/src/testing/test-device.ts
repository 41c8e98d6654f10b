import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { KeyAlgorithm } from '@countersign/contract'
import { toSpkiPem } from '../shared/crypto/device-key.ts'

export interface DeviceKeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

/** How ES256 signatures are written: `der` as Android and iOS do, `p1363` (r‖s) as WebCrypto does. */
export type SignatureForm = 'der' | 'p1363'

export interface TestDeviceOptions {
  /** Default of `SignOptions.form`; itself `der` by default. */
  readonly form?: SignatureForm
  /** A key pair made earlier: RSA keys take a while. RS256 and PS256 take the same kind. */
  readonly keyPair?: DeviceKeyPair
}

export interface SignOptions {
  /** Sign the challenge's text as it was sent (the default), or the bytes that it stands for. */
  readonly over?: 'text' | 'bytes'
  /** Matters to ES256 only. */
  readonly form?: SignatureForm
  /** `base64` with padding (the default), `base64url` without. */
  readonly encoding?: 'base64' | 'base64url'
}

/** What a phone with a hardware key does, in software: it holds a key pair and signs challenges. */
export interface TestDevice {
  readonly keyAlgorithm: KeyAlgorithm
  /** SPKI in PEM, as a registration announces it. */
  readonly publicKey: string
  readonly keyPair: DeviceKeyPair
  /** The signature of a challenge, as text. */
  sign(challenge: string, options?: SignOptions): string
}

/** A fresh key pair that fits the algorithm: P-256, or RSA of 2048 bits. */
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
