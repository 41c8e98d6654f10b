import { CountersignError } from '../errors/countersign-error.ts'

/** Returns WebCrypto. @throws CountersignError `UNSUPPORTED` */
export const webCrypto = (): SubtleCrypto => {
  const { crypto } = globalThis as { readonly crypto?: Partial<Crypto> }
  if (crypto?.subtle) return crypto.subtle
  throw new CountersignError('This platform has no WebCrypto: browsers have it on https and localhost only', {
    code: 'UNSUPPORTED',
  })
}
