import type { Output } from '@countersign/contract'
import { CountersignError, hasCode, isUnauthorized } from '../shared/errors/countersign-error.ts'
import { requireOpen, within } from '../shared/time/deadline.ts'
import type { Milliseconds } from '../shared/time/units.ts'
import { alone, LOCK_PATIENCE } from './alone.ts'
import { claimsOf } from './claims.ts'
import { type ClientEvents, createListeners, type Listener, type SignedOutReason } from './events.ts'
import { receiveTokens } from './receive-tokens.ts'
import { newRenewalKey, nextRenewalKey } from './renewal-key.ts'
import { showUser } from './shown-user.ts'
import { newestTokens, removeTokens, soon, swapTokens } from './token-chain.ts'
import type { StoredTokens, TokenStore } from './token-store.ts'

/** The session of a client, with the tokens of the store. */
export interface Session {
  /** Returns the tokens, renewed if their end is near. @throws CountersignError if the session has ended; `USER_CHANGED` */
  present(timeout: Milliseconds): Promise<StoredTokens | undefined>
  /** Returns newer tokens than these, which were refused; `undefined` if there is another session. @throws CountersignError */
  replace(refused: StoredTokens): Promise<StoredTokens | undefined>
  /** Runs a call that presents tokens. @throws CountersignError `USER_CHANGED` as soon as another user is signed in */
  asUser<T>(run: () => Promise<T>): Promise<T>
  begin(kind: StoredTokens['kind'], pair: Output<'auth.login'>): Promise<void>
  /** Forgets the tokens and their session, even if the store cannot remove them. @throws the error of the store */
  end(reason: SignedOutReason, tokens: StoredTokens | undefined): Promise<void>
  /** Returns the stored tokens with the shared key of their renewal. @throws CountersignError `USER_CHANGED` */
  readWithKey(): Promise<StoredTokens | undefined>
  /** Adds a listener, and returns how to remove it. While there is one, `onChange` runs after each change by another tab. */
  on<E extends keyof ClientEvents>(name: E, listener: Listener<E>, onChange: () => void): () => void
}

/** Exchanges the refresh token for a new pair, at the operation for the kind of session. */
export type RefreshTokens = (tokens: StoredTokens, signal?: AbortSignal) => Promise<Output<'auth.login'>>

/** The longest wait of a call for a renewal. Another tab may sleep in the middle of its renewal. */
const PATIENCE: Milliseconds = 5000

/** The renewals that are under way, by store. Two clients of one store renew once. */
const renewals = /* @__PURE__ */ new WeakMap<TokenStore, Promise<StoredTokens | undefined>>()

const isSameSession = (one: StoredTokens, other: StoredTokens): boolean =>
  claimsOf(one.accessToken).session_id === claimsOf(other.accessToken).session_id

/** Returns whether the refresh token will never be accepted. A 400 about another field means a request damaged on its way. */
const isFinal = (error: unknown): boolean =>
  isUnauthorized(error) || (hasCode(error, 'VALIDATION_ERROR') && 'refreshToken' in error.details)

export const keepSession = (store: TokenStore, refreshTokens: RefreshTokens): Session => {
  const listeners = createListeners()
  const user = showUser(listeners)

  const read = async () => {
    const tokens = await newestTokens(store)
    user.note(tokens, 'elsewhere')
    return tokens
  }

  /**
   * Prepares a token pair for the store, after a renewal with `key`. A store without `swap` may have copies that do not know of
   * each other, such as the cookie of two requests. It gets the key of the next renewal at once, which all copies then send.
   */
  const receive = async (kind: StoredTokens['kind'], pair: Output<'auth.login'>, key?: string): Promise<StoredTokens> => {
    const renewalKey = store.swap ? undefined : await nextRenewalKey(key, pair.refreshToken)
    return { ...receiveTokens(kind, pair), renewalKey }
  }

  /** Writes the key of the next renewal, unless another client did. Returns the tokens of the store. */
  const withKey = async (tokens: StoredTokens): Promise<StoredTokens | undefined> => {
    const renewalKey = newRenewalKey()
    if (tokens.renewalKey || !renewalKey) return tokens
    const keyed = { ...tokens, renewalKey }
    const isWritten = await swapTokens(store, tokens, keyed).catch((error: unknown) => {
      // A store that does not answer may answer other tabs, which would then make another key.
      if (hasCode(error, 'TIMEOUT')) throw error
      // A key that the store fails to write still helps until the response arrives.
      return true
    })
    return isWritten ? keyed : read()
  }

  /** Reads the store again under the lock: another client may have renewed the tokens or logged out. */
  const renewOnce = async (stale: StoredTokens, signal: AbortSignal): Promise<StoredTokens | undefined> => {
    const begun = Date.now()
    const stored = await soon(read)
    if (stored?.accessToken !== stale.accessToken) return stored
    // A page that was left meanwhile has given the lock to another tab, which may have written a key.
    requireOpen(signal)
    const current = await withKey(stored)
    if (current?.accessToken !== stale.accessToken) return current
    // The other tabs have passed over the lock of a page that slept here, and the refresh token may be spent.
    if (Date.now() - begun > LOCK_PATIENCE) throw new CountersignError('The page slept', { code: 'TIMEOUT' })
    try {
      const next = await receive(current.kind, await refreshTokens(current, signal), current.renewalKey)
      // If the store fails to write, the new tokens count in memory.
      return (await swapTokens(store, current, next).catch(() => true)) ? next : await read()
    } catch (error) {
      if (isFinal(error) && (await swapTokens(store, current, undefined).catch(() => true))) user.note(undefined, 'ended')
      throw error
    }
  }

  const renew = (stale: StoredTokens): Promise<StoredTokens | undefined> => {
    const running = renewals.get(store)
    if (running) return running
    const lock = store.name && `countersign:${store.name}`
    const renewal = alone(lock, LOCK_PATIENCE, (signal) => renewOnce(stale, signal)).finally(() => renewals.delete(store))
    renewals.set(store, renewal)
    return renewal
  }

  /** Reads whether there is a session, so that its end can be reported. An error of the store appears in the next call. */
  const look = async () => {
    await read().catch(() => undefined)
    if (store.kept === false) listeners.emit('notKept', {})
  }
  let unsubscribe: (() => void) | undefined

  return {
    readWithKey: async () => {
      const tokens = await soon(read)
      return (
        tokens &&
        withKey(tokens).catch((error: unknown) => {
          // The session can end without a key.
          if (hasCode(error, 'TIMEOUT')) return tokens
          throw error
        })
      )
    },
    asUser: user.during,
    end: async (reason, tokens) => {
      try {
        await removeTokens(store, tokens)
      } finally {
        user.note(undefined, reason)
      }
    },
    begin: async (kind, pair) => {
      const tokens = await receive(kind, pair)
      await store.set(tokens)
      user.begin(tokens)
    },
    present: async (timeout) => {
      const tokens = await read()
      if (tokens === undefined || Date.now() < tokens.renewAt) return tokens
      return within(Math.min(PATIENCE, timeout / 2), undefined, () => renew(tokens)).catch((error: unknown) => {
        // The access token may still be accepted. If not, the service refuses the token.
        if (isFinal(error) || hasCode(error, 'USER_CHANGED')) throw error
        return tokens
      })
    },
    replace: async (refused) => {
      const tokens = await read()
      const next = tokens?.accessToken === refused.accessToken ? await renew(tokens) : tokens
      return next && isSameSession(next, refused) ? next : undefined
    },
    on: (name, listener, onChange) => {
      const forget = listeners.on(name, listener)
      void look()
      unsubscribe ??= store.subscribe?.(() => {
        onChange()
        void look()
      })
      return () => {
        if (forget()) return
        unsubscribe?.()
        unsubscribe = undefined
      }
    },
  }
}
