import type { StoredTokens, TokenStore } from './token-store.ts'

/** Keeps tokens as long as the program runs, or the page is open; out of reach of other scripts' look at storage. */
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
