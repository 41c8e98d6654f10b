import { createHash } from 'node:crypto'
import { toBase64 } from './base64.ts'

/** Returns a challenge for one purpose: SHA-512 of the domain, the nonce and a canonical JSON text (RFC 8785), as base64. */
export const commitTo = (domain: string, nonce: Uint8Array, canonicalText: string): string =>
  toBase64(createHash('sha512').update(domain).update(Uint8Array.of(0)).update(nonce).update(canonicalText, 'utf8').digest())
