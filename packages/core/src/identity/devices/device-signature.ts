import { base64Takes, fromAnyBase64 } from '../../shared/crypto/base64.ts'
import { readStoredKey } from '../../shared/crypto/device-key.ts'
import { isSignedBy, type SignedForm, signedForm } from '../../shared/crypto/device-signature.ts'
import { Invalid } from '../../shared/errors.ts'
import type { Device } from '../records/device.ts'
import { deviceThumbprint } from './device-thumbprint.ts'

/** The result of a valid signature of a device. */
export interface DeviceProof {
  readonly over: SignedForm
  /** The SHA-256 thumbprint of the key (RFC 7638). */
  readonly keyThumbprint: string
}

/**
 * Returns the proof if this device signed the challenge; `undefined` if it did not. The key is parsed once, because that
 * costs as much as the check of a signature.
 */
export const proofOfDevice = (
  device: Pick<Device, 'publicKey' | 'keyAlgorithm'>,
  challenge: string,
  signature: Uint8Array,
): DeviceProof | undefined => {
  const key = readStoredKey(device.publicKey, device.keyAlgorithm)
  if (key === undefined) return undefined
  const over = signedForm(key, device.keyAlgorithm, challenge, signature)
  return over && { over, keyThumbprint: deviceThumbprint(device, key) }
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

/** Decodes a signature from base64 or base64url. @throws Invalid if the text is neither */
export const checkedSignature = (signedChallenge: string): Uint8Array => {
  const signature = fromAnyBase64(signedChallenge)
  if (signature === undefined) throw new Invalid({ signedChallenge: `must be a signature in ${base64Takes(signedChallenge)}` })
  return signature
}
