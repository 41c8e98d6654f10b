import { strictBase64Url } from './strict-text.ts'

const HASH_BYTES = 32
const EXPONENT_SQUARINGS = 16

const toInteger = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`)

/** Raises to the power 65537 = 2^16 + 1, modulo n. */
const publicOperation = (base: bigint, modulus: bigint): bigint => {
  let power = base
  for (let count = 0; count < EXPONENT_SQUARINGS; count += 1) power = (power * power) % modulus
  return (power * base) % modulus
}

/** The mask generation function MGF1 with SHA-256 (RFC 8017, appendix B.2.1). */
const mask = async (subtle: SubtleCrypto, seed: Uint8Array, length: number): Promise<Uint8Array> => {
  const output = new Uint8Array(Math.ceil(length / HASH_BYTES) * HASH_BYTES)
  for (let block = 0; block * HASH_BYTES < length; block += 1) {
    const digest = await subtle.digest('SHA-256', new Uint8Array([...seed, 0, 0, block >> 8, block & 255]))
    output.set(new Uint8Array(digest), block * HASH_BYTES)
  }
  return output
}

/** Reads the salt length of an RSA-PSS signature (RFC 8017 §9.1.2), which Web Crypto needs. `n` is the modulus; exponent 65537. */
export const pssSaltLength = async (subtle: SubtleCrypto, n: string, signature: Uint8Array): Promise<number | undefined> => {
  const modulus = toInteger(strictBase64Url(n) ?? new Uint8Array(1))
  const bits = modulus.toString(2).length
  const length = Math.ceil((bits - 1) / 8)
  const value = toInteger(signature)
  if (value >= modulus) return undefined
  const hex = publicOperation(value, modulus).toString(16)
  if (hex.length > length * 2) return undefined
  const message = Uint8Array.from(hex.padStart(length * 2, '0').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const end = length - HASH_BYTES - 1
  const block = message.slice(0, end)
  const masking = await mask(subtle, message.slice(end, end + HASH_BYTES), end)
  const plain = block.map((byte, at) => byte ^ (masking[at] ?? 0))
  // The first bits above the modulus are zero in the message (step 9).
  plain[0] = (plain[0] ?? 0) & (255 >> (8 * length - (bits - 1)))
  const start = plain.findIndex((byte) => byte !== 0)
  return start >= 0 && plain[start] === 1 ? end - start - 1 : undefined
}
