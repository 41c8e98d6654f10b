import type { StoredTokens } from './token-store.ts'

/** The default key of the stored tokens. */
export const DEFAULT_KEY = 'countersign'

export const toText = (tokens: StoredTokens): string => JSON.stringify(tokens)

/** Text of another form counts as no tokens. */
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

/** Returns the sessions that are to be ended, from their text. */
export const endingsFromText = (text: string | undefined): readonly StoredTokens[] =>
  JSON.parse(text ?? '[]') as readonly StoredTokens[]

/** Returns the text of the sessions that are to be ended; `undefined` for none. */
export const endingsToText = (endings: readonly StoredTokens[]): string | undefined =>
  endings.length > 0 ? JSON.stringify(endings) : undefined
