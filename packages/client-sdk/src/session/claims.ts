import { binaryOf } from '../shared/encoding/bytes.ts'

/** The claims that the client reads from a token. Only the service can verify the token. */
export interface Claims {
  /** Seconds since 1970, by the clock of the service. */
  readonly iat?: number
  /** The user. Missing in a service token. */
  readonly id?: number | null
  readonly device_id?: string
  readonly permissions?: readonly string[]
  /** The same for every token of a session. */
  readonly session_id?: string
}

/** Returns the claims of a JSON Web Token; no claims for any other text. */
export const claimsOf = (token: string): Claims => {
  try {
    const [, payload = ''] = token.split('.')
    return JSON.parse(binaryOf(payload)) as Claims
  } catch {
    return {}
  }
}
