import { createSecretKey, type KeyObject } from 'node:crypto'

const made = new WeakMap<Uint8Array, KeyObject>()

/**
 * Returns the key object of a secret, which never changes. Node's ciphers take several times as long with the bytes of a key as
 * with its key object.
 */
export const secretKey = (secret: Uint8Array): KeyObject => {
  const known = made.get(secret)
  if (known !== undefined) return known
  const key = createSecretKey(secret)
  made.set(secret, key)
  return key
}
