import type { TokenStore } from './token-store.ts'
import { DEFAULT_KEY, fromText, toText } from './token-text.ts'

/**
 * Keeps tokens in the browser's `localStorage`. All tabs of the origin share one session, which outlives them. Every script of
 * the origin can read the tokens, so the page needs a strict Content Security Policy; otherwise prefer `memoryTokenStore`.
 *
 * @param key Names the entry. Clients of different services or users need different keys.
 */
export const localStorageTokenStore = (key = DEFAULT_KEY): TokenStore => ({
  name: key,
  get: () => fromText(localStorage.getItem(key)),
  set: (tokens) => localStorage.setItem(key, toText(tokens)),
  remove: () => localStorage.removeItem(key),
  subscribe: (onChange) => {
    // Browsers report only changes of other tabs. A null key means that the whole storage was cleared.
    const onStorage = (event: StorageEvent) => {
      if (event.key === key || event.key === null) onChange()
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  },
})
