import type { StoredTokens, TokenStore } from './token-store.ts'
import { DEFAULT_KEY, endingsFromText, endingsToText, fromText, toText } from './token-text.ts'

/** A storage of texts by key, such as React Native's `AsyncStorage`. A secure store needs three lines to become one. */
export interface AsyncKeyValueStorage {
  getItem(key: string): Promise<string | null>
  setItem(key: string, value: string): Promise<unknown>
  removeItem(key: string): Promise<unknown>
}

/**
 * Keeps tokens in an asynchronous storage. The store reads the storage once, because secure stores are slow and may show a
 * prompt. No other program may write the entry at the same time.
 *
 * @param key Names the entry. Secure stores allow letters, digits, `.`, `-` and `_`. A second entry, `<key>.endings`, is there
 * while a session could not be ended.
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
        // The storage still has the old tokens, unless another call has replaced them since.
        if (known === written) known = undefined
        throw error
      }
    },
    remove: async () => {
      known = Promise.resolve(undefined)
      await storage.removeItem(key)
    },
    endings: async (change) => {
      const name = `${key}.endings`
      const before = (await storage.getItem(name)) ?? undefined
      const after = endingsToText(change(endingsFromText(before)))
      if (after !== before) await (after === undefined ? storage.removeItem(name) : storage.setItem(name, after))
      return endingsFromText(after)
    },
  }
}
