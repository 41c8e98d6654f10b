import { within } from '../shared/time/deadline.ts'
import type { Milliseconds } from '../shared/time/units.ts'
import type { StoredTokens, TokenStore } from './token-store.ts'

/** The longest wait for a store where other calls or tabs wait too. Some storages of browsers and phones never answer. */
const STORE_PATIENCE: Milliseconds = 5000

/** Uses a store. @throws CountersignError `TIMEOUT` if the store takes too long */
export const soon = <T>(run: () => T | Promise<T>): Promise<T> => within(STORE_PATIENCE, undefined, async () => run())

/** The tokens that replace a refresh token which the store failed to replace. */
type Successors = Map<string, StoredTokens | undefined>

/** The successors by store, only for stores that failed to write. After a failed logout or renewal, the stored tokens are spent. */
const unstored = /* @__PURE__ */ new WeakMap<TokenStore, Successors>()

/** Writes the successor of tokens. If the store fails, the successor still counts in memory. @throws the error of the store */
const succeed = async <T>(
  store: TokenStore,
  tokens: StoredTokens | undefined,
  next: StoredTokens | undefined,
  write: () => T | Promise<T>,
): Promise<T> => {
  try {
    return await soon(write)
  } catch (error) {
    if (tokens && tokens.refreshToken !== next?.refreshToken) {
      unstored.set(store, (unstored.get(store) ?? new Map()).set(tokens.refreshToken, next))
    }
    throw error
  }
}

export const newestTokens = async (store: TokenStore): Promise<StoredTokens | undefined> => {
  let tokens = await store.get()
  const successors = unstored.get(store)
  while (tokens && successors?.has(tokens.refreshToken)) tokens = successors.get(tokens.refreshToken)
  return tokens
}

/** Removes the tokens, even if the store has other tokens by now. @throws the error of the store */
export const removeTokens = (store: TokenStore, tokens: StoredTokens | undefined): Promise<void> =>
  succeed(store, tokens, undefined, () => store.remove())

/** Replaces tokens unless another client has logged in or out, and returns whether it did. @throws the error of the store */
export const swapTokens = async (store: TokenStore, tokens: StoredTokens, next: StoredTokens | undefined): Promise<boolean> => {
  // The tokens that the store failed to write are only in memory, so the store cannot compare them.
  const isAtomic = store.swap && !unstored.has(store)
  if (!isAtomic && (await soon(() => newestTokens(store)))?.refreshToken !== tokens.refreshToken) return false
  return succeed(store, tokens, next, async () => {
    if (isAtomic) return store.swap?.(tokens.refreshToken, next) ?? false
    await (next ? store.set(next) : store.remove())
    return true
  })
}
