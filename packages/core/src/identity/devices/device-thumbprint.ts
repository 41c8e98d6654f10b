import { createHash, type KeyObject } from 'node:crypto'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import { readStoredKey } from '../../shared/crypto/device-key.ts'
import { jwkThumbprint } from '../../shared/crypto/jwk-thumbprint.ts'
import type { Device } from './device.ts'

/** The bytes of a stored P-256 key before the coordinates of its point (RFC 5480 §2.2). */
const BEFORE_POINT = 27

/**
 * Returns the thumbprint of a P-256 key from its stored text. The stored form is checked and fixed, so OpenSSL need not parse it
 * again, which takes as long as the check of a signature.
 */
const p256Thumbprint = (pem: string): string => {
  const point = Buffer.from(pem.replaceAll(/-----.*?-----/g, ''), 'base64').subarray(BEFORE_POINT)
  const [x, y] = [toBase64Url(point.subarray(0, 32)), toBase64Url(point.subarray(32))]
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url')
}

/**
 * Returns the RFC 7638 thumbprint of the device's public key.
 *
 * @param parsed The parsed key, where the caller has it.
 */
export const deviceThumbprint = (
  { publicKey, keyAlgorithm }: Pick<Device, 'publicKey' | 'keyAlgorithm'>,
  parsed?: KeyObject,
): string => {
  if (keyAlgorithm === 'ES256') return p256Thumbprint(publicKey)
  const key = parsed ?? readStoredKey(publicKey, keyAlgorithm)
  if (key === undefined) throw new TypeError('the stored key of a device is readable')
  return jwkThumbprint(key)
}
