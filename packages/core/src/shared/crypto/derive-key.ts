import { hkdfSync } from 'node:crypto'

/**
 * Derives a 256-bit key for one purpose from a secret, with HKDF-SHA256 (RFC 5869). A token or signature for one purpose
 * therefore never verifies for another purpose (RFC 8725 §3.9).
 */
export const deriveKey = (secret: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), `countersign/v1/${purpose}`, 32))
