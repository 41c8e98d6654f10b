import { createHash } from 'node:crypto'
import { isSignatureOver } from '../../shared/crypto/device-signature.ts'
import type { CoseKey } from './cose-key.ts'

/** What an authenticator signs, and its signature. */
export interface Signed {
  readonly authenticatorData: Uint8Array
  readonly clientData: Uint8Array
  readonly signature: Uint8Array
}

/**
 * Whether the key signed the authenticator data and the hash of the client data (WebAuthn Level 3 §6.3.3, §6.5.5). Asked
 * beside the library, whose reader of DER forgives bits that were changed in the frame around the two numbers.
 */
export const isSignedWith = (
  { key, name }: Pick<CoseKey, 'key' | 'name'>,
  { authenticatorData, clientData, signature }: Signed,
): boolean => {
  const hash = createHash('sha256').update(clientData).digest()
  return isSignatureOver(key, name, Buffer.concat([authenticatorData, hash]), signature)
}
