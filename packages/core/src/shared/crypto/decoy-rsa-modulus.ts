import { createHash } from 'node:crypto'

const BYTES = 256

/**
 * An odd number of 2048 bits that a hash gives. Checking a signature against it takes as long as against a real modulus, and
 * making it takes no search for primes. Whoever could factor it would gain nothing: a decoy key admits nobody.
 */
export const decoyRsaModulus = (): Uint8Array => {
  const bytes = createHash('shake256', { outputLength: BYTES }).update('countersign/v1/decoy-rsa-modulus').digest()
  bytes[0] = (bytes[0] ?? 0) | 0x80
  bytes[BYTES - 1] = (bytes[BYTES - 1] ?? 0) | 1
  return bytes
}
