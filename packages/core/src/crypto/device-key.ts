import { createPublicKey, type KeyObject } from 'node:crypto'
import type { KeyAlgorithm } from '@countersign/contract'

const SPKI_BLOCK = /^-----BEGIN PUBLIC KEY-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END PUBLIC KEY-----\s*$/
const RSA_BITS = { least: 2048, most: 8192 }
const RSA_EXPONENT = 65537n

const parse = (pem: string): KeyObject | undefined => {
  // A private key, a certificate or a second block never reaches the parser: it would read a public key out of each.
  if (!SPKI_BLOCK.test(pem)) return undefined
  try {
    return createPublicKey({ key: pem, format: 'pem', type: 'spki' })
  } catch {
    // What OpenSSL says of foreign bytes is of no use to anyone; the caller answers with what a key must be.
    return undefined
  }
}

/** Whether a key is of the algorithm's kind and as strong as it must be. */
export const isFitKey = (key: KeyObject, algorithm: KeyAlgorithm): boolean => {
  const details = key.asymmetricKeyDetails
  if (algorithm === 'ES256') return key.asymmetricKeyType === 'ec' && details?.namedCurve === 'prime256v1'
  const bits = details?.modulusLength ?? 0
  return (
    key.asymmetricKeyType === 'rsa' && bits >= RSA_BITS.least && bits <= RSA_BITS.most && details?.publicExponent === RSA_EXPONENT
  )
}

/**
 * Reads a device's public key: one SPKI PEM block; P-256 for ES256; RSA of 2048 to 8192 bits with exponent 65537 for
 * RS256 and PS256 (RFC 7518 §3.3–3.5). `undefined` where it is anything else.
 */
export const parseDeviceKey = (pem: string, algorithm: KeyAlgorithm): KeyObject | undefined => {
  const key = parse(pem.trim())
  return key !== undefined && isFitKey(key, algorithm) ? key : undefined
}

/** The one text under which a key is kept, however its PEM was wrapped. */
export const toSpkiPem = (key: KeyObject): string => key.export({ format: 'pem', type: 'spki' }).toString()
