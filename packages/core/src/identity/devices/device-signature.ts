import { createHash, type KeyObject } from 'node:crypto'
import { base64Takes, fromAnyBase64, toBase64Url } from '../../shared/crypto/base64.ts'
import { readStoredKey, storedPoint } from '../../shared/crypto/device-key.ts'
import { isSignedBy, type SignedForm, signedForm } from '../../shared/crypto/device-signature.ts'
import { jwkThumbprint } from '../../shared/crypto/jwk-thumbprint.ts'
import { Invalid } from '../../shared/errors.ts'
import type { Device } from '../records/device.ts'

/** The public key of a device. */
export type DeviceKey = Pick<Device, 'publicKey' | 'keyAlgorithm'>

/** Returns the RFC 7638 thumbprint of the device's public key, which the caller may have parsed. */
export const deviceThumbprint = ({ publicKey, keyAlgorithm }: DeviceKey, parsed?: KeyObject): string => {
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

/** The result of a valid signature of a device. */
export interface DeviceProof {
  readonly over: SignedForm
  /** The SHA-256 thumbprint of the key (RFC 7638). */
  readonly keyThumbprint: string
}

/** Returns the proof if this device signed the challenge. Parses the key once, which costs as much as checking a signature. */
export const proofOfDevice = (device: DeviceKey, challenge: string, signature: Uint8Array): DeviceProof | undefined => {
  const key = readStoredKey(device.publicKey, device.keyAlgorithm)
  if (key === undefined) return undefined
  const over = signedForm(key, device.keyAlgorithm, challenge, signature)
  return over && { over, keyThumbprint: deviceThumbprint(device, key) }
}

/** Returns whether this device signed the challenge. */
export const isSignedByDevice = (device: DeviceKey, challenge: string, signature: Uint8Array): boolean => {
  const key = readStoredKey(device.publicKey, device.keyAlgorithm)
  return key !== undefined && isSignedBy(key, device.keyAlgorithm, challenge, signature)
}

/** Decodes a signature from base64 or base64url. @throws Invalid if the text is neither */
export const checkedSignature = (signedChallenge: string): Uint8Array => {
  const signature = fromAnyBase64(signedChallenge)
  if (signature === undefined) throw new Invalid({ signedChallenge: `must be a signature in ${base64Takes(signedChallenge)}` })
  return signature
}
