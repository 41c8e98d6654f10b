import { jwkThumbprint } from '../../shared/crypto/jwk-thumbprint.ts'
import type { Passkey } from '../records/passkey.ts'
import { parseCoseKey } from './cose-key.ts'

/** Returns the RFC 7638 thumbprint of the passkey's public key. */
export const passkeyThumbprint = ({ publicKey }: Pick<Passkey, 'publicKey'>): string => {
  const parsed = parseCoseKey(new Uint8Array(Buffer.from(publicKey, 'base64url')))
  if (parsed === undefined) throw new TypeError('the key of a passkey is readable')
  return jwkThumbprint(parsed.key)
}
