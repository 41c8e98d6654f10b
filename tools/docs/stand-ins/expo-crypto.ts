export const CryptoDigestAlgorithm = { SHA256: 'SHA-256', SHA512: 'SHA-512' } as const

export const digest = (algorithm: string, bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> =>
  crypto.subtle.digest(algorithm, bytes)
