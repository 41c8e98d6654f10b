import { createHmac, createSecretKey } from 'node:crypto'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import { deriveKey, type KeyRing } from '../../shared/crypto/key-ring.ts'
import { memoize } from '../../shared/memoize.ts'

/** 128 bits (RFC 9901 §9.3). */
const SALT_BYTES = 16

const saltKeyOf = memoize((secret: Uint8Array) => createSecretKey(deriveKey(secret, 'receipt-salts')))

/** Returns the salt of a disclosure, secret without the encryption key and the nonce. The same input gives the same salt. */
export const saltOf = (
  encryptionKeys: KeyRing,
  { confirmationId, nonce, name }: { readonly confirmationId: string; readonly nonce: string; readonly name: string },
): string => {
  const mac = createHmac('sha256', saltKeyOf(encryptionKeys.current.secret))
  mac.update(JSON.stringify([confirmationId, nonce, name]))
  return toBase64Url(mac.digest().subarray(0, SALT_BYTES))
}
