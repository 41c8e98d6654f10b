import type { StoredTokens } from './token-store.ts'

/** Under which tokens are stored where nothing else is said. */
export const DEFAULT_KEY = 'countersign'

export const toText = (tokens: StoredTokens): string => JSON.stringify(tokens)

/** What is no text of ours is as good as nothing. */
export const fromText = (text: string | null | undefined): StoredTokens | undefined => {
  try {
    const tokens = JSON.parse(text ?? '') as StoredTokens
    const { kind, accessToken, refreshToken, renewAt } = tokens
    const isOurs = accessToken && refreshToken && renewAt > 0 && (kind === 'standard' || kind === 'biometric')
    return isOurs ? tokens : undefined
  } catch {
    return undefined
  }
}
