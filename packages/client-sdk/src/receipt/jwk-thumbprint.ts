import { toBase64Url } from '../shared/encoding/bytes.ts'

/** The required members of each key type, in the order of their names (RFC 7638 §3.2, RFC 8037 §2). */
const required: Readonly<Record<string, readonly string[]>> = {
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
  RSA: ['e', 'kty', 'n'],
}

/** Returns the SHA-256 thumbprint of a public key (RFC 7638); `undefined` for an unknown key type or a missing member. */
export const jwkThumbprint = async (subtle: SubtleCrypto, jwk: object): Promise<string | undefined> => {
  const members = jwk as Readonly<Record<string, unknown>>
  const names = required[String(members.kty)]
  if (!names?.every((name) => typeof members[name] === 'string')) return undefined
  const text = JSON.stringify(Object.fromEntries(names.map((name) => [name, members[name]])))
  return toBase64Url(await subtle.digest('SHA-256', new TextEncoder().encode(text)))
}
