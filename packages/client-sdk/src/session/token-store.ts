/** Keeps tokens in memory until the program ends or the page closes. Scripts that read storages cannot find the tokens. */
export const memoryTokenStore = (): TokenStore => {
  let kept: StoredTokens | undefined
  return {
    get: () => kept,
    set: (tokens) => {
      kept = tokens
    },
    remove: () => {
      kept = undefined
    },
  }
}

/** The tokens of a session in a store. A store keeps this plain data unchanged. */
export interface StoredTokens {
  /** The kind of the session, which determines the endpoint that renews it. A device signature begins a biometric session. */
  readonly kind: 'standard' | 'biometric'
  readonly accessToken: string
  readonly refreshToken: string
  /** ISO 8601 timestamps by the clock of the service. */
  readonly accessTokenExpiresAt: string
  readonly refreshTokenExpiresAt: string
  /** The time of the renewal: milliseconds since 1970 by this machine's clock, even if the clock is wrong. */
  readonly renewAt: number
  /**
   * The secret key of the renewal with this refresh token: a renewal with the same key gets the same successor, after a lost answer
   * and from another copy of the tokens. Made with the tokens, or, in a store with `swap`, at the renewal.
   */
  readonly renewalKey?: string | undefined
}

/** Returns the changed list of the sessions that are to be ended. */
export type ChangeEndings = (endings: readonly StoredTokens[]) => readonly StoredTokens[]

type Awaitable<T> = T | Promise<T>

/**
 * The place where a client keeps the tokens of its session, read before every call. Everybody who can read the store can act as the
 * user until the session ends.
 */
export interface TokenStore {
  /** The name, for stores that several clients share, such as tabs. They renew their tokens under one Web Lock of that name. */
  readonly name?: string
  get(): Awaitable<StoredTokens | undefined>
  set(tokens: StoredTokens): Awaitable<void>
  remove(): Awaitable<void>
  /**
   * Replaces the tokens, or removes them for `undefined`, only if the stored refresh token is this one, and returns whether it did.
   * If the new tokens have the same refresh token, they bring a `renewalKey`, in place of which a stored key stays. A store that
   * several tabs share does so in one step.
   */
  swap?(refreshToken: string, tokens: StoredTokens | undefined): Awaitable<boolean>
  /** Changes the list of sessions that a logout could not end yet, in one step. Without it, the client keeps the list in memory. */
  endings?(change: ChangeEndings): Awaitable<readonly StoredTokens[]>
  /** False if the store has found that it cannot keep tokens longer than the page is open. */
  readonly kept?: boolean
  /** Calls back after another client changed the stored tokens. Returns a function that removes the callback. */
  subscribe?(onChange: () => void): () => void
}
