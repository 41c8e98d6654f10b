import type { StoredTokens, TokenStore } from './token-store.ts'
import { DEFAULT_KEY, fromText, toText } from './token-text.ts'

/** Texts by key, as React Native keeps them: `AsyncStorage` is one; secure stores are made one in three lines. */
export interface AsyncKeyValueStorage {
  getItem(key: string): Promise<string | null>
  setItem(key: string, value: string): Promise<unknown>
  removeItem(key: string): Promise<unknown>
}

/**
 * Keeps tokens in an asynchronous storage. It is read once, since secure stores are slow and may ask for a finger; nobody
 * else may write the entry meanwhile.
 *
 * @param key Names the entry. Secure stores take letters, digits, `.`, `-` and `_`.
 */
export const asyncTokenStore = (storage: AsyncKeyValueStorage, key = DEFAULT_KEY): TokenStore => {
  let known: Promise<StoredTokens | undefined> | undefined
  const read = async () => {
    try {
      return fromText(await storage.getItem(key))
    } catch (error) {
      known = undefined
      throw error
    }
  }
  return {
    get: () => {
      known ??= read()
      return known
    },
    set: async (tokens) => {
      const written = Promise.resolve(tokens)
      known = written
      try {
        await storage.setItem(key, toText(tokens))
      } catch (error) {
        // What is kept is what was kept before, unless somebody has said otherwise since.
        if (known === written) known = undefined
        throw error
      }
    },
    remove: async () => {
      known = Promise.resolve(undefined)
      await storage.removeItem(key)
    },
  }
}
