import type { StoredTokens, TokenStore } from './token-store.ts'

/** Keeps tokens in memory until the program ends or the page closes. Scripts that read storages cannot find the tokens. */
export const memoryTokenStore = (): TokenStore => {
  let kept: StoredTokens | undefined
  return {
    get: () => kept,
    set: (tokens) => {
      kept = tokens
    },
    remove: () => {
      kept = undefined
    },
  }
}
