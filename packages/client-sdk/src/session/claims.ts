import { binaryOf } from '../shared/encoding/base64.ts'

/** What a client looks up in a token. That it is good is for the service to say. */
export interface Claims {
  /** Seconds since 1970, by the service's clock. */
  readonly iat?: number
  readonly device_id?: string
  /** The same in every token of a session. */
  readonly session_id?: string
}

/** The claims of a JSON Web Token; none where the text is no such token. */
export const claimsOf = (token: string): Claims => {
  try {
    const [, payload = ''] = token.split('.')
    return JSON.parse(binaryOf(payload)) as Claims
  } catch {
    return {}
  }
}
