import { fromBase64, toBase64Url, utf8 } from '../../shared/encoding/bytes.ts'
import { canonicalJson } from '../../shared/encoding/canonical-json.ts'
import type { Digest } from '../../shared/encoding/commitment.ts'

/** The number of bytes of a P-256 key as SPKI (RFC 5480 §2.2). The shortest accepted RSA key is longer. */
const P256_BYTES = 91

/** The number of bytes before the modulus of an RSA key of 2048 to 8192 bits (RFC 3279 §2.3.1, RFC 8017 §A.1.1). */
const SPKI_START = 32
const PKCS1_START = 8

/** The number of bytes after the modulus: the exponent 65537, which every accepted RSA key has. */
const EXPONENT_BYTES = 5

/** Returns the required members of the JWK (RFC 7638 §3.2). */
const toJwk = (pem: string) => {
  const der = fromBase64(pem.replace(/-----.*?-----|\s/g, ''))
  if (der.length === P256_BYTES) {
    return { crv: 'P-256', kty: 'EC', x: toBase64Url(der.slice(-64, -32)), y: toBase64Url(der.slice(-32)) }
  }
  const start = pem.includes('BEGIN RSA') ? PKCS1_START : SPKI_START
  // DER puts a zero byte before a modulus whose first bit is set.
  return { e: 'AQAB', kty: 'RSA', n: toBase64Url(der.slice(der[start] ? start : start + 1, -EXPONENT_BYTES)) }
}

/** Returns the RFC 7638 thumbprint of a public key in PEM: P-256 as SPKI, or RSA with exponent 65537 as SPKI or PKCS#1. */
export const keyThumbprint = async (sha256: Digest, pem: string): Promise<string> =>
  toBase64Url(await sha256(utf8(canonicalJson(toJwk(pem)))))
