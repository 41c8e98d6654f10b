import type { Output } from '@countersign/contract'
import { hasCode } from '../shared/errors/countersign-error.ts'
import { claimsOf } from './claims.ts'
import { receiveTokens } from './receive-tokens.ts'
import type { StoredTokens, TokenStore } from './token-store.ts'

/**
 * The reason of a sign-out. `logout`: this client logged out. `ended`: the service ended the session. `elsewhere`: another
 * client or tab removed the tokens from the store.
 */
export type SignedOutReason = 'logout' | 'ended' | 'elsewhere'

/** The event of a sign-out. */
export interface SignedOutEvent {
  readonly reason: SignedOutReason
}

/** The session of a client, with the tokens of the store. */
export interface Session {
  /** Returns the tokens to present, renewed if their end is near. @throws CountersignError if the session has ended */
  present(): Promise<StoredTokens | undefined>
  /**
   * Returns newer tokens of the same session after the service refused these tokens. Another call or tab may have renewed them
   * already. Returns `undefined` if another user signed in meanwhile, so that no request of one user is sent for another.
   * @throws CountersignError
   */
  replace(refused: StoredTokens): Promise<StoredTokens | undefined>
  /** Stores the tokens of a login. */
  begin(kind: StoredTokens['kind'], pair: Output<'auth.login'>): Promise<void>
  /**
   * Forgets the tokens and their session, even if the store cannot remove them.
   * @throws the error of the store
   */
  end(reason: SignedOutReason, tokens: StoredTokens | undefined): Promise<void>
  /** Returns the stored tokens. */
  read(): Promise<StoredTokens | undefined>
  onSignedOut(listener: (event: SignedOutEvent) => void): () => void
}

/** Exchanges the refresh token for a new pair, at the operation for the kind of session. */
export type RefreshTokens = (tokens: StoredTokens) => Promise<Output<'auth.login'>>

/** The renewals that are under way, by store. Two clients of one store renew once. */
const renewals = /* @__PURE__ */ new WeakMap<TokenStore, Promise<StoredTokens | undefined>>()

/** The tokens that replace a refresh token which the store failed to replace. */
type Successors = Map<string, StoredTokens | undefined>

/**
 * The successors by store, only for stores that failed to write. After a failed logout or renewal, the stored tokens are spent.
 */
const unstored = /* @__PURE__ */ new WeakMap<TokenStore, Successors>()

/** Runs alone among all clients that share the store, if the platform has locks. */
const alone = <T>({ name }: TokenStore, run: () => Promise<T>): Promise<T> => {
  const { locks } = (globalThis.navigator ?? {}) as Partial<Navigator>
  return name !== undefined && locks ? (locks.request(`countersign:${name}`, run) as Promise<T>) : run()
}

const isSameSession = (one: StoredTokens, other: StoredTokens): boolean =>
  claimsOf(one.accessToken).session_id === claimsOf(other.accessToken).session_id

/**
 * Returns whether the error means that the refresh token will never be accepted. A 400 that blames another field means that the
 * request was damaged on its way.
 */
const isFinal = (error: unknown): boolean =>
  hasCode(error, 'UNAUTHORIZED') || (hasCode(error, 'VALIDATION_ERROR') && 'refreshToken' in error.details)

export const keepSession = (store: TokenStore, refreshTokens: RefreshTokens): Session => {
  const listeners = new Set<(event: SignedOutEvent) => void>()
  let isSignedIn = false

  /** Records the state of the store. Every read passes here, so that each sign-out is reported once. */
  const note = (tokens: StoredTokens | undefined, reason: SignedOutReason): StoredTokens | undefined => {
    const wasSignedIn = isSignedIn
    isSignedIn = tokens !== undefined
    // An error of a listener must not break the call in which the session ended.
    if (wasSignedIn && !isSignedIn) for (const listener of listeners) void Promise.resolve({ reason }).then(listener)
    return tokens
  }

  const read = async () => {
    let tokens = await store.get()
    const successors = unstored.get(store)
    while (tokens && successors?.has(tokens.refreshToken)) tokens = successors.get(tokens.refreshToken)
    return note(tokens, 'elsewhere')
  }

  /** Replaces tokens in the store. If the store fails, the replacement still counts in memory. @throws the error of the store */
  const succeed = async (tokens: StoredTokens | undefined, next: StoredTokens | undefined) => {
    try {
      await (next ? store.set(next) : store.remove())
    } catch (error) {
      if (tokens && tokens.refreshToken !== next?.refreshToken) {
        unstored.set(store, (unstored.get(store) ?? new Map()).set(tokens.refreshToken, next))
      }
      throw error
    }
  }

  const end = async (reason: SignedOutReason, tokens: StoredTokens | undefined) => {
    try {
      await succeed(tokens, undefined)
    } finally {
      note(undefined, reason)
    }
  }

  /** Reads the store again under the lock: another client may have renewed the tokens or logged out. */
  const renewOnce = async (stale: StoredTokens): Promise<StoredTokens | undefined> => {
    const current = await read()
    if (current?.accessToken !== stale.accessToken) return current
    const isStillCurrent = async () => (await read())?.refreshToken === current.refreshToken
    try {
      const next = receiveTokens(current.kind, await refreshTokens(current))
      // A logout or login during the renewal takes precedence.
      if (!(await isStillCurrent())) return read()
      await succeed(current, next)
      return next
    } catch (error) {
      if (isFinal(error) && (await isStillCurrent())) await end('ended', current)
      throw error
    }
  }

  const renew = (stale: StoredTokens): Promise<StoredTokens | undefined> => {
    const underWay = renewals.get(store)
    if (underWay) return underWay
    const renewal = alone(store, () => renewOnce(stale)).finally(() => renewals.delete(store))
    renewals.set(store, renewal)
    return renewal
  }

  return {
    read,
    end,
    begin: async (kind, pair) => {
      await store.set(receiveTokens(kind, pair))
      isSignedIn = true
    },
    present: async () => {
      const tokens = await read()
      if (tokens === undefined || Date.now() < tokens.renewAt) return tokens
      return renew(tokens).catch((error: unknown) => {
        // The access token may still be accepted. If not, the service refuses the token.
        if (isFinal(error)) throw error
        return tokens
      })
    },
    replace: async (refused) => {
      const tokens = await read()
      const next = tokens?.accessToken === refused.accessToken ? await renew(tokens) : tokens
      return next && isSameSession(next, refused) ? next : undefined
    },
    onSignedOut: (listener) => {
      listeners.add(listener)
      // Reads whether there is a session, so that its end can be reported. An error of the store appears in the next call.
      const onChange = () => void read().catch(() => undefined)
      onChange()
      const unsubscribe = store.subscribe?.(onChange)
      return () => {
        listeners.delete(listener)
        unsubscribe?.()
      }
    },
  }
}
