import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/** Returns the HMAC-SHA256 signature of a text (RFC 7518 §3.2), as base64url without padding. */
export const signHs256 = (key: KeyObject, text: string): string => createHmac('sha256', key).update(text).digest('base64url')

/**
 * Returns whether the signature belongs to the text. Compares in constant time (RFC 7515 §8.1). Compares base64url texts and not
 * bytes, so other spellings of the same bytes are refused.
 */
export const isSignedHs256 = (key: KeyObject, text: string, signature: string): boolean => {
  const [expected, given] = [Buffer.from(signHs256(key, text)), Buffer.from(signature)]
  return given.length === expected.length && timingSafeEqual(expected, given)
}
