import { toBase64Url } from '../shared/encoding/bytes.ts'

/** Returns a key of 128 random bits for a renewal; `undefined` on a platform without random numbers. */
export const newRenewalKey = (): string | undefined => {
  const { crypto } = globalThis as { readonly crypto?: Partial<Crypto> }
  return crypto?.getRandomValues && toBase64Url(crypto.getRandomValues(new Uint8Array(16)))
}
