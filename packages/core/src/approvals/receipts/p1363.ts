import { fromBase64Url, toBase64Url } from '../../shared/crypto/base64.ts'
import type { Evidence } from '../records/confirmation.ts'

const INTEGER_BYTES = 32
const DER_INTEGER = 0x02

/** Returns an integer of a P-256 signature as 32 bytes. DER integers are as short as possible, with a sign byte where needed. */
const toFixed = (integer: Uint8Array): Uint8Array => {
  const digits = integer[0] === 0 ? integer.subarray(1) : integer
  const fixed = new Uint8Array(INTEGER_BYTES)
  fixed.set(digits, INTEGER_BYTES - digits.length)
  return fixed
}

/** Converts an ECDSA signature from DER (RFC 3279 §2.2.3) to r‖s (RFC 7518 §3.4). The signature was verified before. */
const derToP1363 = (der: Uint8Array): Uint8Array => {
  const readInteger = (at: number) => {
    if (der[at] !== DER_INTEGER) throw new TypeError('a verified signature is DER')
    const end = at + 2 + (der[at + 1] ?? 0)
    return { value: toFixed(der.subarray(at + 2, end)), end }
  }
  const r = readInteger(2)
  const s = readInteger(r.end)
  return Buffer.concat([r.value, s.value])
}

/** Returns the signature in the form of a receipt: base64url, and r‖s for ES256. */
export const receiptSignature = ({ signature, algorithm }: Pick<Evidence, 'signature' | 'algorithm'>): string => {
  const bytes = fromBase64Url(signature)
  if (bytes === undefined) throw new TypeError('a stored signature is base64url')
  return algorithm === 'ES256' && bytes.length !== 2 * INTEGER_BYTES ? toBase64Url(derToP1363(bytes)) : signature
}
