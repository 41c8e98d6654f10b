import { createHash } from 'node:crypto'

const BYTES = 256

/**
 * Returns an odd number of 2048 bits, derived by a hash, as the modulus of a decoy key. A signature check with this modulus takes
 * as long as with a real one. The number is fast to make, because it needs no primes. A decoy key gives no access, so nobody
 * gains anything by factoring the number.
 */
export const decoyRsaModulus = (): Uint8Array => {
  const bytes = createHash('shake256', { outputLength: BYTES }).update('countersign/v1/decoy-rsa-modulus').digest()
  bytes[0] = (bytes[0] ?? 0) | 0x80
  bytes[BYTES - 1] = (bytes[BYTES - 1] ?? 0) | 1
  return bytes
}
