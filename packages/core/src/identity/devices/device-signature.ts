import { readStoredKey } from '../../shared/crypto/device-key.ts'
import { isSignedBy, type SignedForm, signedForm } from '../../shared/crypto/device-signature.ts'
import type { Device } from './device.ts'

/** Returns the form of the challenge that this device signed; `undefined` where it signed neither. */
export const signedFormOfDevice = (
  device: Pick<Device, 'publicKey' | 'keyAlgorithm'>,
  challenge: string,
  signature: Uint8Array,
): SignedForm | undefined => {
  const key = readStoredKey(device.publicKey, device.keyAlgorithm)
  return key && signedForm(key, device.keyAlgorithm, challenge, signature)
}

/** Returns whether this device signed the challenge. */
export const isSignedByDevice = (
  device: Pick<Device, 'publicKey' | 'keyAlgorithm'>,
  challenge: string,
  signature: Uint8Array,
): boolean => {
  const key = readStoredKey(device.publicKey, device.keyAlgorithm)
  return key !== undefined && isSignedBy(key, device.keyAlgorithm, challenge, signature)
}
