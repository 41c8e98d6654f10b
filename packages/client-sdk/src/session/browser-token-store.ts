import { changeBrowserEntry } from '../shared/browser-database.ts'
import { hasCode } from '../shared/errors/countersign-error.ts'
import { ofWindow } from '../shared/platform.ts'
import type { ChangeEndings, StoredTokens, TokenStore } from './token-store.ts'

type Next<T> = (entry: T | undefined) => T | undefined

const TOKENS = { database: 'countersign-tokens', name: 'tokens' }

/** The events after which a page may have missed messages of other tabs. A page in the back/forward cache gets none. */
const AWAKE = ['pageshow', 'visibilitychange', 'resume']

/**
 * Keeps tokens in the browser's IndexedDB, for all tabs of the origin; in memory if the browser does not store data (`notKept`).
 * Every script of the origin can read them, so the page needs a strict Content Security Policy. Clients of different services or
 * users need different keys.
 * `localStorage` would not do: what one tab writes is not always there for the next tab, which would use a spent token.
 */
export const browserTokenStore = (key = 'countersign'): TokenStore => {
  const memory = new Map<string, unknown>()
  let hasWorked = false
  let channel: BroadcastChannel | undefined

  /** Returns the channel to the other tabs. A tab does not hear its own channel. */
  const others = (): BroadcastChannel | undefined => {
    try {
      if (globalThis.indexedDB) channel ??= new BroadcastChannel(`countersign:${key}`)
    } catch {
      // The browser refuses channels together with data.
    }
    return channel
  }

  /** Changes an entry, in memory if the browser has refused the first access. Tells the other tabs. */
  const change = async <T>(name: string, next: Next<T>): Promise<T | undefined> => {
    let before: T | undefined
    const noting: Next<T> = (entry) => {
      before = entry
      return next(entry)
    }
    let after: T | undefined
    try {
      after = await changeBrowserEntry(TOKENS, name, noting)
      hasWorked = true
    } catch (error) {
      // A browser that does not answer may have tokens.
      if (hasWorked || hasCode(error, 'TIMEOUT')) throw error
      store.kept = false
      after = noting(memory.get(name) as T | undefined)
      memory.set(name, after)
    }
    if (after !== before) others()?.postMessage('')
    return after
  }

  const store = {
    name: key,
    kept: true as boolean,
    get: () => change<StoredTokens>(key, (tokens) => tokens),
    set: async (tokens: StoredTokens) => void (await change(key, () => tokens)),
    remove: async () => void (await change(key, () => undefined)),
    swap: async (refreshToken: string, next: StoredTokens | undefined) => {
      let isCurrent = false
      await change<StoredTokens>(key, (tokens) => {
        // The first key stays, because a renewal with that key may be under way.
        const isKeyed = tokens?.renewalKey && next?.refreshToken === refreshToken
        isCurrent = tokens?.refreshToken === refreshToken && !isKeyed
        return isCurrent ? next : tokens
      })
      return isCurrent
    },
    endings: async (next: ChangeEndings) =>
      (await change<readonly StoredTokens[]>(`${key}.endings`, (all = []) => {
        const left = next(all)
        return left.length > 0 ? left : undefined
      })) ?? [],
    subscribe: (onChange: () => void) => {
      const controller = new AbortController()
      // Captures at the window, because some of these events do not bubble.
      const options = { capture: true, signal: controller.signal }
      others()?.addEventListener('message', onChange, options)
      for (const name of AWAKE) ofWindow.addEventListener?.(name, onChange, options)
      return () => controller.abort()
    },
  } satisfies TokenStore
  return store
}
