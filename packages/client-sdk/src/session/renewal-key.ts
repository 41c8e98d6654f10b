import { toBase64Url, utf8 } from '../shared/encoding/bytes.ts'
import { hkdfSha256 } from '../shared/encoding/hkdf.ts'

/** Returns a key of 128 random bits for a renewal; `undefined` on a platform without random numbers. */
export const newRenewalKey = (): string | undefined => {
  const { crypto } = globalThis as { readonly crypto?: Partial<Crypto> }
  return crypto?.getRandomValues && toBase64Url(crypto.getRandomValues(new Uint8Array(16)))
}

/**
 * Returns the key for the renewal after the next one. It follows from the present key and the new refresh token, so that all copies
 * of the tokens get the same key; without WebCrypto it is new. The token is the salt, because platforms limit the information.
 */
export const nextRenewalKey = async (key: string | undefined, refreshToken: string): Promise<string | undefined> => {
  try {
    if (key) return toBase64Url(await hkdfSha256(utf8(key), utf8(refreshToken), utf8('countersign/v1/renewal-key'), 32))
  } catch {
    // Copies of the tokens then need a store that they share.
  }
  return newRenewalKey()
}
