import { within } from '../shared/time/deadline.ts'
import type { Milliseconds } from '../shared/time/units.ts'
import type { StoredTokens, TokenStore } from './token-store.ts'

/** A storage of texts by key, such as React Native's `AsyncStorage`. A secure store needs three lines to become one. */
export interface AsyncKeyValueStorage {
  getItem(key: string): Promise<string | null>
  setItem(key: string, value: string): Promise<unknown>
  removeItem(key: string): Promise<unknown>
}

/** The longest time of a read, in which a person may answer a prompt. Some storages never answer. */
const LONGEST_READ: Milliseconds = 30_000

/** Text of another form counts as no tokens. */
const tokensFrom = (text: string | null): StoredTokens | undefined => {
  try {
    const tokens = JSON.parse(text ?? '') as StoredTokens
    const { kind, accessToken, refreshToken, renewAt } = tokens
    const isOurs = accessToken && refreshToken && renewAt > 0 && (kind === 'standard' || kind === 'biometric')
    return isOurs ? tokens : undefined
  } catch {
    return undefined
  }
}

/** The stored text while no session is to be ended. */
const NONE = '[]'

/**
 * Keeps tokens in an asynchronous storage, which is read once, because secure stores are slow. No other program may write the entry
 * at the same time. `key` has letters, digits, `.`, `-` and `_`. The entry `<key>.endings` has sessions that could not be ended.
 */
export const asyncTokenStore = (storage: AsyncKeyValueStorage, key = 'countersign'): TokenStore => {
  let known: Promise<StoredTokens | undefined> | undefined
  const read = async () => {
    try {
      return tokensFrom(await within(LONGEST_READ, undefined, () => storage.getItem(key)))
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
        await storage.setItem(key, JSON.stringify(tokens))
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
      const before = (await storage.getItem(name)) ?? NONE
      const after = JSON.stringify(change(JSON.parse(before) as readonly StoredTokens[]))
      if (after !== before) await (after === NONE ? storage.removeItem(name) : storage.setItem(name, after))
      return JSON.parse(after) as readonly StoredTokens[]
    },
  }
}
