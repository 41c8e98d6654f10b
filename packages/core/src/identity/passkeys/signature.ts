import { createHash } from 'node:crypto'
import { isSignatureOver } from '../../shared/crypto/device-signature.ts'
import type { CoseKey } from './cose-key.ts'

/** The signed data of an authenticator, and the signature. */
export interface Signed {
  readonly authenticatorData: Uint8Array
  readonly clientData: Uint8Array
  readonly signature: Uint8Array
}

/**
 * Returns whether the key signed the authenticator data and the hash of the client data (WebAuthn Level 3 §6.3.3, §6.5.5). Of
 * a signature by ES256, only strict DER is accepted.
 */
export const isSignedWith = (
  { key, name }: Pick<CoseKey, 'key' | 'name'>,
  { authenticatorData, clientData, signature }: Signed,
): boolean => {
  const hash = createHash('sha256').update(clientData).digest()
  return isSignatureOver(key, name, Buffer.concat([authenticatorData, hash]), signature)
}
