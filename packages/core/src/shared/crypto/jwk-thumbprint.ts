import { createHash, type KeyObject } from 'node:crypto'

/** Returns the SHA-256 thumbprint of a public key, or of the public half of a key pair, as a JWK (RFC 7638), in base64url. */
export const jwkThumbprint = (key: KeyObject): string => {
  const { kty, crv, x, y, e, n } = key.export({ format: 'jwk' })
  // The required members in the order of their names, without white space (RFC 7638 §3.2 and §3.3, RFC 8037 §2).
  const members = kty === 'EC' ? { crv, kty, x, y } : kty === 'OKP' ? { crv, kty, x } : { e, kty, n }
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url')
}
