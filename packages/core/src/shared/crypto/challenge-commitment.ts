import { createHash } from 'node:crypto'
import { toBase64 } from './base64.ts'

/**
 * Returns a challenge that covers its purpose, as padded base64: SHA-512 over the domain, a zero byte, the 64 bytes of the
 * nonce and a canonical JSON text (RFC 8785). The domain names the purpose, so a signature for one purpose never counts for
 * another. Anyone who has the nonce and the text can compute the challenge again.
 */
export const commitTo = (domain: string, nonce: Uint8Array, canonicalText: string): string =>
  toBase64(createHash('sha512').update(domain).update(Uint8Array.of(0)).update(nonce).update(canonicalText, 'utf8').digest())
