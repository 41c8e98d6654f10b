import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA256 as JSON Web Signature has it (RFC 7518 §3.2). */

const BYTES = 32

const mac = (key: KeyObject, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** The signature of a text. */
export const signHs256 = (key: KeyObject, text: string): Uint8Array => mac(key, text)

/** Whether the signature is that of the text; takes as long whatever of it is wrong (RFC 7515 §8.1: compared in constant time). */
export const isSignedHs256 = (key: KeyObject, text: string, signature: Uint8Array): boolean =>
  signature.length === BYTES && timingSafeEqual(mac(key, text), signature)
