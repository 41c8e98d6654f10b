import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA256 as JSON Web Signature has it (RFC 7518 §3.2). */

/** The signature of a text, as base64url without padding. */
export const signHs256 = (key: KeyObject, text: string): string => createHmac('sha256', key).update(text).digest('base64url')

/**
 * Whether the signature is that of the text; takes as long whatever of it is wrong (RFC 7515 §8.1: compared in constant time).
 * Compared as text: a signature has one only, and no other way to write the same bytes is taken.
 */
export const isSignedHs256 = (key: KeyObject, text: string, signature: string): boolean => {
  const [expected, given] = [Buffer.from(signHs256(key, text)), Buffer.from(signature)]
  return given.length === expected.length && timingSafeEqual(expected, given)
}
