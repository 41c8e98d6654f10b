import { CountersignError } from '../shared/errors/countersign-error.ts'

type ImportAlgorithm = Parameters<SubtleCrypto['importKey']>[2] & { readonly name: string }

/** Imports a public key; `undefined` for a malformed one. @throws CountersignError `UNSUPPORTED` */
export const importKey = async (
  subtle: SubtleCrypto,
  jwk: JsonWebKey,
  algorithm: ImportAlgorithm,
): Promise<CryptoKey | undefined> => {
  try {
    return await subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
  } catch (cause) {
    if ((cause as Error).name !== 'NotSupportedError') return undefined
    throw new CountersignError(`The WebCrypto of this platform lacks ${algorithm.name}`, { code: 'UNSUPPORTED', cause })
  }
}
