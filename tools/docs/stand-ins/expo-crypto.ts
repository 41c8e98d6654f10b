export const CryptoDigestAlgorithm = { SHA512: 'SHA-512' } as const

export const digest = (algorithm: string, bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> =>
  crypto.subtle.digest(algorithm, bytes)
