import { readStoredKey } from '../../shared/crypto/device-key.ts'
import { isSignedBy } from '../../shared/crypto/device-signature.ts'
import type { Device } from './device.ts'

/** Returns whether this device signed the challenge. */
export const isSignedByDevice = (
  device: Pick<Device, 'publicKey' | 'keyAlgorithm'>,
  challenge: string,
  signature: Uint8Array,
): boolean => {
  const key = readStoredKey(device.publicKey, device.keyAlgorithm)
  return key !== undefined && isSignedBy(key, device.keyAlgorithm, challenge, signature)
}
