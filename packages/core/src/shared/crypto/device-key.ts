import { createPublicKey, type KeyObject } from 'node:crypto'
import type { KeyAlgorithm } from '@countersign/contract'

/** Matches exactly one PEM block (RFC 7468 §3, the lax form: white space may be anywhere in the base64). */
const PEM_BLOCK = /^-----BEGIN (PUBLIC KEY|RSA PUBLIC KEY)-----([A-Za-z0-9+/=\t\n\v\f\r ]+)-----END \1-----$/
const DER_FORMS = { 'PUBLIC KEY': 'spki', 'RSA PUBLIC KEY': 'pkcs1' } as const

/** The first bytes of every P-256 SPKI with a named curve and an uncompressed point (RFC 5480 §2.1.1, §2.2). */
const P256_SPKI_START = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex')
const P256_SPKI_BYTES = 91

/** The number of bytes before the PKCS#1 key in the SPKI of an RSA key of the sizes below (RFC 3279 §2.3.1). */
const RSA_SPKI_START_BYTES = 24

const RSA_BITS = { least: 2048, most: 8192 }
const RSA_EXPONENT = 65537n

/** Returns whether a key has the type that the algorithm needs, and a size that is allowed. */
export const isFitKey = (key: KeyObject, algorithm: KeyAlgorithm): boolean => {
  const details = key.asymmetricKeyDetails
  if (algorithm === 'ES256') return key.asymmetricKeyType === 'ec' && details?.namedCurve === 'prime256v1'
  const bits = details?.modulusLength ?? 0
  return (
    key.asymmetricKeyType === 'rsa' && bits >= RSA_BITS.least && bits <= RSA_BITS.most && details?.publicExponent === RSA_EXPONENT
  )
}

const asFitKey = (input: Parameters<typeof createPublicKey>[0], algorithm: KeyAlgorithm): KeyObject | undefined => {
  try {
    const key = createPublicKey(input)
    return isFitKey(key, algorithm) ? key : undefined
  } catch {
    // The error of OpenSSL does not help the caller. The calling use case throws an error that says what a key must be.
    return undefined
  }
}

/** Returns whether the bytes are in the form of a P-256 key. OpenSSL checks that the point is on the curve. */
const isP256Spki = (bytes: Buffer): boolean =>
  bytes.length === P256_SPKI_BYTES && bytes.subarray(0, P256_SPKI_START.length).equals(P256_SPKI_START)

/** Returns whether the bytes are the DER form of the key. OpenSSL also reads BER, and ignores trailing bytes. */
const isDerOf = (key: KeyObject, type: 'spki' | 'pkcs1', bytes: Buffer): boolean => {
  if (key.asymmetricKeyType === 'ec') {
    return isP256Spki(bytes)
  }
  const spki = key.export({ format: 'der', type: 'spki' })
  return (type === 'spki' ? spki : spki.subarray(RSA_SPKI_START_BYTES)).equals(bytes)
}

/**
 * Reads the public key that a device sends, one PEM block in strict DER: for ES256 P-256 with a named curve; for RS256 and PS256
 * RSA of 2048 to 8192 bits with exponent 65537, as SPKI or PKCS#1. `undefined` for anything else, also for a private key or a
 * certificate, from which OpenSSL would extract a public key.
 */
export const parseDeviceKey = (pem: string, algorithm: KeyAlgorithm): KeyObject | undefined => {
  const [, label, body = ''] = PEM_BLOCK.exec(pem.trim()) ?? []
  if (label !== 'PUBLIC KEY' && label !== 'RSA PUBLIC KEY') return undefined
  const text = body.replaceAll(/[^A-Za-z0-9+/=]/g, '')
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) return undefined
  const type = DER_FORMS[label]
  const key = asFitKey({ key: bytes, format: 'der', type }, algorithm)
  return key !== undefined && isDerOf(key, type, bytes) ? key : undefined
}

/** Returns the DER form of a stored P-256 key; `undefined` for other keys, and for compressed points of earlier versions. */
const p256SpkiOf = (pem: string): Buffer | undefined => {
  const bytes = Buffer.from(pem.replaceAll(/-----.*?-----/g, ''), 'base64')
  return isP256Spki(bytes) ? bytes : undefined
}

/** Returns the coordinates of a stored P-256 key: 32 bytes each. Returns `undefined` if the stored form does not show them. */
export const storedPoint = (pem: string): { readonly x: Uint8Array; readonly y: Uint8Array } | undefined => {
  const point = p256SpkiOf(pem)?.subarray(P256_SPKI_START.length)
  return point && { x: point.subarray(0, 32), y: point.subarray(32) }
}

/** Reads a stored public key, if it fits the algorithm. The usual form of a P-256 key shows its curve faster than OpenSSL. */
export const readStoredKey = (pem: string, algorithm: KeyAlgorithm): KeyObject | undefined => {
  if (algorithm !== 'ES256' || p256SpkiOf(pem) === undefined) return asFitKey(pem, algorithm)
  try {
    return createPublicKey(pem)
  } catch {
    // The point is not on the curve.
    return undefined
  }
}

/** Returns the text in which a key is stored. The same key always gives the same text, whatever form the device sent. */
export const toSpkiPem = (key: KeyObject): string => key.export({ format: 'pem', type: 'spki' }).toString()
