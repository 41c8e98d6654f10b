import { createHash } from 'node:crypto'

const BYTES = 256

/** Returns the 2048-bit modulus of a decoy key, for a check as long as a real one. It gives no access, so it needs no primes. */
export const decoyRsaModulus = (): Uint8Array => {
  const bytes = createHash('shake256', { outputLength: BYTES }).update('countersign/v1/decoy-rsa-modulus').digest()
  bytes[0] = (bytes[0] ?? 0) | 0x80
  bytes[BYTES - 1] = (bytes[BYTES - 1] ?? 0) | 1
  return bytes
}
