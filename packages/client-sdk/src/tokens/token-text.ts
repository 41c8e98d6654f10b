import type { StoredTokens } from './token-store.ts'

/** Under which tokens are stored where nothing else is said. */
export const DEFAULT_KEY = 'countersign'

export const toText = (tokens: StoredTokens): string => JSON.stringify(tokens)

/** What is no text of ours is as good as nothing. */
export const fromText = (text: string | null | undefined): StoredTokens | undefined => {
  try {
    const { kind, accessToken, refreshToken, renewAt, ...expiry } = JSON.parse(text ?? '') as StoredTokens
    const isOurs = accessToken && refreshToken && renewAt > 0 && (kind === 'standard' || kind === 'biometric')
    return isOurs ? { kind, accessToken, refreshToken, renewAt, ...expiry } : undefined
  } catch {
    return undefined
  }
}
