import { unsupported } from '../errors/unsupported.ts'

/** Returns WebCrypto. @throws CountersignError `UNSUPPORTED` */
export const webCrypto = (): SubtleCrypto => {
  const { crypto } = globalThis as { readonly crypto?: Partial<Crypto> }
  if (crypto?.subtle) return crypto.subtle
  throw unsupported('WebCrypto: browsers have it on https and localhost only')
}
