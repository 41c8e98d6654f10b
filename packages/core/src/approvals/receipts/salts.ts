import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import { deriveKey, type KeyRing } from '../../shared/crypto/key-ring.ts'

/** 128 bits (RFC 9901 §9.3). */
const SALT_BYTES = 16

const saltKeys = new WeakMap<Uint8Array, KeyObject>()

/** The derived key of a secret, which never changes. */
const saltKeyOf = ({ current: { secret } }: KeyRing): KeyObject => {
  const known = saltKeys.get(secret)
  if (known !== undefined) return known
  const key = createSecretKey(deriveKey(secret, 'receipt-salts'))
  saltKeys.set(secret, key)
  return key
}

/** Returns the salt of a disclosure, secret without the encryption key and the nonce. The same input gives the same salt. */
export const saltOf = (
  encryptionKeys: KeyRing,
  { confirmationId, nonce, name }: { readonly confirmationId: string; readonly nonce: string; readonly name: string },
): string => {
  const mac = createHmac('sha256', saltKeyOf(encryptionKeys))
  mac.update(JSON.stringify([confirmationId, nonce, name]))
  return toBase64Url(mac.digest().subarray(0, SALT_BYTES))
}
