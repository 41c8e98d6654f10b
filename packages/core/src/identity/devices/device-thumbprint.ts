import { readStoredKey } from '../../shared/crypto/device-key.ts'
import { jwkThumbprint } from '../../shared/crypto/jwk-thumbprint.ts'
import type { Device } from './device.ts'

/** Returns the RFC 7638 thumbprint of the device's public key. */
export const deviceThumbprint = ({ publicKey, keyAlgorithm }: Pick<Device, 'publicKey' | 'keyAlgorithm'>): string => {
  const key = readStoredKey(publicKey, keyAlgorithm)
  if (key === undefined) throw new TypeError('the stored key of a device is readable')
  return jwkThumbprint(key)
}
