import type { Output } from '@countersign/contract'
import { hasCode } from '../shared/errors/countersign-error.ts'
import { claimsOf } from './claims.ts'
import { receiveTokens } from './receive-tokens.ts'
import type { StoredTokens, TokenStore } from './token-store.ts'

/**
 * Why nobody is signed in any more: this client was told to log out; the service has ended the session; or the tokens were
 * taken from the store elsewhere, by another tab.
 */
export type SignedOutReason = 'logout' | 'ended' | 'elsewhere'

/** Told once nobody is signed in any more. */
export interface SignedOutEvent {
  readonly reason: SignedOutReason
}

/** The session of a client: the store's, renewed where it must be. */
export interface Session {
  /** The tokens to present, renewed where their end is near. @throws CountersignError where the session has ended */
  present(): Promise<StoredTokens | undefined>
  /**
   * The tokens of the same session to present after the service refused these; another call or tab may have renewed them
   * already. None where somebody else signed in meanwhile: what one user asked for is never sent for another.
   * @throws CountersignError
   */
  replace(refused: StoredTokens): Promise<StoredTokens | undefined>
  /** Takes over the tokens of a login. */
  begin(kind: StoredTokens['kind'], pair: Output<'auth.login'>): Promise<void>
  /**
   * Forgets these tokens, of whose session nothing is known here from then on, even where the store does not let go of them.
   * @throws what the store throws
   */
  end(reason: SignedOutReason, tokens: StoredTokens | undefined): Promise<void>
  /** The tokens as they are stored. */
  read(): Promise<StoredTokens | undefined>
  onSignedOut(listener: (event: SignedOutEvent) => void): () => void
}

/** Exchanges a refresh token where its kind of session is renewed. */
export type Exchange = (tokens: StoredTokens) => Promise<Output<'auth.login'>>

/** Under way, by store: two clients of one store renew it once. */
const renewals = /* @__PURE__ */ new WeakMap<TokenStore, Promise<StoredTokens | undefined>>()

/** What holds in place of tokens that a store went on to keep, by their refresh token. */
type Successors = Map<string, StoredTokens | undefined>

/** By store, as renewals are. Only where a store failed: after a logout, or a renewal, whose tokens before it are spent. */
const unstored = /* @__PURE__ */ new WeakMap<TokenStore, Successors>()

/** Runs alone among all that share the store, as far as the platform has a way to. */
const alone = <T>({ name }: TokenStore, run: () => Promise<T>): Promise<T> => {
  const { locks } = (globalThis.navigator ?? {}) as Partial<Navigator>
  return name !== undefined && locks ? (locks.request(`countersign:${name}`, run) as Promise<T>) : run()
}

const isSameSession = (one: StoredTokens, other: StoredTokens): boolean =>
  claimsOf(one.accessToken).session_id === claimsOf(other.accessToken).session_id

/**
 * What the service says of a refresh token that is not good, and never will be. A 400 that does not speak of the token is
 * of a request that was broken on its way.
 */
const isFinal = (error: unknown): boolean =>
  hasCode(error, 'UNAUTHORIZED') || (hasCode(error, 'VALIDATION_ERROR') && 'refreshToken' in error.details)

export const keepSession = (store: TokenStore, exchange: Exchange): Session => {
  const listeners = new Set<(event: SignedOutEvent) => void>()
  let isSignedIn = false

  /** Everything that is seen of the store passes here, so that the end of a session is told once. */
  const note = (tokens: StoredTokens | undefined, reason: SignedOutReason): StoredTokens | undefined => {
    const wasSignedIn = isSignedIn
    isSignedIn = tokens !== undefined
    // A listener that fails must not break the call that the session ended in.
    if (wasSignedIn && !isSignedIn) for (const listener of listeners) void Promise.resolve({ reason }).then(listener)
    return tokens
  }

  const read = async () => {
    let tokens = await store.get()
    const successors = unstored.get(store)
    while (tokens && successors?.has(tokens.refreshToken)) tokens = successors.get(tokens.refreshToken)
    return note(tokens, 'elsewhere')
  }

  /** Has the store keep what comes after some tokens; where it fails, that counts all the same. @throws what the store throws */
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

  /** The store is read again under the lock: whoever held it before may have renewed, or logged out. */
  const renewOnce = async (stale: StoredTokens): Promise<StoredTokens | undefined> => {
    const current = await read()
    if (current?.accessToken !== stale.accessToken) return current
    const isStillCurrent = async () => (await read())?.refreshToken === current.refreshToken
    try {
      const next = receiveTokens(current.kind, await exchange(current))
      // Whoever logged out or in meanwhile has the last word.
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
        // The token may be good still; where it is not, the service says so.
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
      // Learns that there is a session, whose end can then be told. A store that fails says so to the next call.
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
