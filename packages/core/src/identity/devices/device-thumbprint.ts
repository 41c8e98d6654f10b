import { createHash, type KeyObject } from 'node:crypto'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import { readStoredKey, storedPoint } from '../../shared/crypto/device-key.ts'
import { jwkThumbprint } from '../../shared/crypto/jwk-thumbprint.ts'
import type { Device } from '../records/device.ts'

/**
 * Returns the RFC 7638 thumbprint of the device's public key.
 *
 * @param parsed The parsed key, if the caller has it.
 */
export const deviceThumbprint = (
  { publicKey, keyAlgorithm }: Pick<Device, 'publicKey' | 'keyAlgorithm'>,
  parsed?: KeyObject,
): string => {
  // Exporting the key from OpenSSL takes as long as half a check of a signature.
  const point = keyAlgorithm === 'ES256' ? storedPoint(publicKey) : undefined
  if (point !== undefined) {
    const members = { crv: 'P-256', kty: 'EC', x: toBase64Url(point.x), y: toBase64Url(point.y) }
    return createHash('sha256').update(JSON.stringify(members)).digest('base64url')
  }
  const key = parsed ?? readStoredKey(publicKey, keyAlgorithm)
  if (key === undefined) throw new TypeError('the stored key of a device is readable')
  return jwkThumbprint(key)
}
