import { constants, type KeyObject, verify } from 'node:crypto'
import type { KeyAlgorithm } from '@countersign/contract'

const P1363_BYTES = 64

/** Returns the options of Node. PS256 takes a salt of any length: RFC 7518 §3.5 requires 32 bytes, which Node does not use. */
const keyOptions = (key: KeyObject, algorithm: KeyAlgorithm, signature: Uint8Array) => {
  if (algorithm === 'ES256') {
    // WebCrypto signs as r‖s (RFC 7518 §3.4), Android and iOS as DER. OpenSSL accepts strict DER only.
    return { key, dsaEncoding: signature.length === P1363_BYTES ? ('ieee-p1363' as const) : ('der' as const) }
  }
  if (algorithm === 'PS256') return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
  return { key, padding: constants.RSA_PKCS1_PADDING }
}

/** Returns whether the signature of these bytes is valid for the key and the algorithm. */
export const isSignatureOver = (key: KeyObject, algorithm: KeyAlgorithm, message: Uint8Array, signature: Uint8Array): boolean => {
  try {
    return verify('sha256', message, keyOptions(key, algorithm, signature), signature)
  } catch {
    // A malformed signature is a wrong signature.
    return false
  }
}

/** The signed bytes of a challenge: the UTF-8 bytes of its base64 text, or the 64 bytes that the text encodes. */
export type SignedForm = 'text' | 'bytes'

/** Returns the form of the challenge that the key signed: mobile biometric libraries sign the text, other libraries the bytes. */
export const signedForm = (
  key: KeyObject,
  algorithm: KeyAlgorithm,
  challenge: string,
  signature: Uint8Array,
): SignedForm | undefined => {
  if (isSignatureOver(key, algorithm, Buffer.from(challenge, 'utf8'), signature)) return 'text'
  return isSignatureOver(key, algorithm, Buffer.from(challenge, 'base64'), signature) ? 'bytes' : undefined
}

/** Returns whether the key signed the challenge, in one of the two forms. */
export const isSignedBy = (key: KeyObject, algorithm: KeyAlgorithm, challenge: string, signature: Uint8Array): boolean =>
  signedForm(key, algorithm, challenge, signature) !== undefined
