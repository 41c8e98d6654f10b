import { CountersignError } from './errors/countersign-error.ts'

/** The global object. Only windows and workers of browsers emit events. */
export const ofWindow: Partial<Pick<Window, 'addEventListener' | 'removeEventListener'>> = globalThis

/** Returns WebCrypto. @throws CountersignError `UNSUPPORTED` */
export const webCrypto = (): SubtleCrypto => {
  const { crypto } = globalThis as { readonly crypto?: Partial<Crypto> }
  if (crypto?.subtle) return crypto.subtle
  throw unsupported('WebCrypto: browsers have it on https and localhost only')
}

/** Checks that the platform has these globals. @throws CountersignError `UNSUPPORTED` that names those which are missing */
export const requirePlatform = (...names: readonly (keyof typeof globalThis)[]): void => {
  const missing = names.filter((name) => !globalThis[name]).join(', ')
  if (missing) throw unsupported(missing)
}

/** Makes the error for a platform that lacks something. */
export const unsupported = (what: string): CountersignError =>
  new CountersignError(`This platform has no ${what}`, { code: 'UNSUPPORTED' })
