import type { StoredTokens, TokenStore } from '../session/token-store.ts'

/** A storage that tabs share as they share IndexedDB. Each tab has a store of its own, and hears of changes by the others. */
export const sharedTabs = (): (() => TokenStore) => {
  let tokens: StoredTokens | undefined
  let endings: readonly StoredTokens[] = []
  const listeners = new Map<() => void, TokenStore>()
  return () => {
    const announce = () => {
      for (const [listener, of] of listeners) if (of !== store) listener()
    }
    const write = async (next: StoredTokens | undefined) => {
      tokens = next
      announce()
    }
    const store: TokenStore = {
      name: 'shared',
      get: async () => tokens,
      set: write,
      remove: () => write(undefined),
      swap: async (refreshToken, next) => {
        const isKeyed = tokens?.renewalKey !== undefined && next?.refreshToken === refreshToken
        if (tokens?.refreshToken !== refreshToken || isKeyed) return false
        await write(next)
        return true
      },
      endings: async (change) => {
        const before = endings
        endings = change(before)
        if (JSON.stringify(endings) !== JSON.stringify(before)) announce()
        return endings
      },
      subscribe: (onChange) => {
        listeners.set(onChange, store)
        return () => listeners.delete(onChange)
      },
    }
    return store
  }
}
