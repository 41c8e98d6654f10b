/** The tokens of a session in a store. A store keeps this plain data unchanged. */
export interface StoredTokens {
  /** The kind of the session, which determines where the session is renewed. A device signature opens a biometric session. */
  readonly kind: 'standard' | 'biometric'
  readonly accessToken: string
  readonly refreshToken: string
  /** ISO 8601 timestamps by the clock of the service. */
  readonly accessTokenExpiresAt: string
  readonly refreshTokenExpiresAt: string
  /** The time of the renewal: milliseconds since 1970 by this machine's clock, even if the clock is wrong. */
  readonly renewAt: number
}

type Awaitable<T> = T | Promise<T>

/**
 * The place where a client keeps the tokens of its session. The client reads the store before every call, so a slow store
 * should remember the tokens. Everybody who can read the store can act as the user until the session ends.
 */
export interface TokenStore {
  /**
   * The name of the store, for stores that several clients share, such as tabs of a browser. Stores of one name share their
   * tokens, and renew them under one Web Lock of that name if the platform has locks.
   */
  readonly name?: string
  get(): Awaitable<StoredTokens | undefined>
  set(tokens: StoredTokens): Awaitable<void>
  remove(): Awaitable<void>
  /** Calls back after another client changed the stored tokens. Returns a function that removes the callback. */
  subscribe?(onChange: () => void): () => void
}
