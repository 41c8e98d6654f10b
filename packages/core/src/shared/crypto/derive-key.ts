import { hkdfSync } from 'node:crypto'

/**
 * A 256-bit key for one purpose, derived from a ring's secret with HKDF-SHA256 (RFC 5869), so that what is made for
 * one purpose never verifies for another (RFC 8725 §3.9).
 */
export const deriveKey = (secret: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), `countersign/v1/${purpose}`, 32))
