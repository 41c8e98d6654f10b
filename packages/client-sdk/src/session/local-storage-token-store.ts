import type { TokenStore } from './token-store.ts'
import { DEFAULT_KEY, fromText, toText } from './token-text.ts'

/**
 * Keeps tokens in the browser's `localStorage`: all tabs of the origin share one session, which outlives them. Every script
 * of the origin can read it, so it asks for a strict Content Security Policy; otherwise prefer `memoryTokenStore`.
 *
 * @param key Names the entry; clients of different services or users need different ones.
 */
export const localStorageTokenStore = (key = DEFAULT_KEY): TokenStore => ({
  name: key,
  get: () => fromText(localStorage.getItem(key)),
  set: (tokens) => localStorage.setItem(key, toText(tokens)),
  remove: () => localStorage.removeItem(key),
  subscribe: (onChange) => {
    // Browsers tell of what other tabs do, never of what this one does; a null key tells of a cleared storage.
    const onStorage = (event: StorageEvent) => {
      if (event.key === key || event.key === null) onChange()
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  },
})
