import { constants, type KeyObject, verify } from 'node:crypto'
import type { KeyAlgorithm } from '@countersign/contract'

const P1363_BYTES = 64

/**
 * How Node is told of each algorithm. PSS: MGF1 with SHA-256 (the digest's) and a salt of any length, which OpenSSL reads out
 * of the signature. RFC 7518 §3.5 names 32 bytes; Node and Python take the longest salt where nothing is said.
 */
const keyOptions = (key: KeyObject, algorithm: KeyAlgorithm, signature: Uint8Array) => {
  if (algorithm === 'ES256') {
    // r‖s as WebCrypto makes it (RFC 7518 §3.4), or DER as Android and iOS do. OpenSSL's DER reader is strict.
    return { key, dsaEncoding: signature.length === P1363_BYTES ? ('ieee-p1363' as const) : ('der' as const) }
  }
  if (algorithm === 'PS256') return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
  return { key, padding: constants.RSA_PKCS1_PADDING }
}

/** Whether a key signed these bytes, in a form of the algorithm that is exactly right. */
export const isSignatureOver = (key: KeyObject, algorithm: KeyAlgorithm, message: Uint8Array, signature: Uint8Array): boolean => {
  try {
    return verify('sha256', message, keyOptions(key, algorithm, signature), signature)
  } catch {
    // A malformed signature is a wrong signature.
    return false
  }
}

/**
 * Whether the device's key signed the challenge: its text as it was sent, or the 64 bytes that the text stands for.
 * Mobile biometric libraries sign texts, others sign bytes; one value fixes both.
 */
export const isSignedBy = (key: KeyObject, algorithm: KeyAlgorithm, challenge: string, signature: Uint8Array): boolean =>
  isSignatureOver(key, algorithm, Buffer.from(challenge, 'utf8'), signature) ||
  isSignatureOver(key, algorithm, Buffer.from(challenge, 'base64'), signature)
