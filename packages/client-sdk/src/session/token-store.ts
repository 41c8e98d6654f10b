/** The tokens of a session, as a store keeps them: plain data, to be given back as it was. */
export interface StoredTokens {
  /** How the session began, and so where it is renewed. A biometric session is one that a device's signature opened. */
  readonly kind: 'standard' | 'biometric'
  readonly accessToken: string
  readonly refreshToken: string
  /** ISO 8601 timestamps by the service's clock. */
  readonly accessTokenExpiresAt: string
  readonly refreshTokenExpiresAt: string
  /** When to renew: milliseconds since 1970 by this machine's clock, however that stands. */
  readonly renewAt: number
}

type Awaitable<T> = T | Promise<T>

/**
 * Where a client keeps the tokens of its session. It is asked before every call, so one that stands on something slow
 * should remember. Whoever reads it can act as the user until the session ends.
 */
export interface TokenStore {
  /**
   * Given where several clients share what is stored: tabs of a browser, say. Stores of one name share their tokens, and
   * renew them under one Web Lock of that name where the platform has them.
   */
  readonly name?: string
  get(): Awaitable<StoredTokens | undefined>
  set(tokens: StoredTokens): Awaitable<void>
  remove(): Awaitable<void>
  /** Calls back after somebody else changed what is stored; returns what ends that. */
  subscribe?(onChange: () => void): () => void
}
