import type { Instant } from '../../shared/clock.ts'
import type { ServiceToken } from './service-token.ts'

/** The service tokens. A store keeps their ids and never the tokens themselves. */
export interface ServiceTokenStore {
  add(token: ServiceToken): Promise<void>
  /** All service tokens, newest first, revoked and expired tokens included. */
  list(): Promise<readonly ServiceToken[]>
  /** Returns the token unless it is unknown or revoked. The answer is as current as the answer of `SessionStore.status`. */
  status(id: string): Promise<ServiceToken | undefined>
  /** Revokes a token and returns it. Returns `undefined`, and changes nothing, if the token is unknown or revoked. */
  revoke(id: string, now: Instant): Promise<ServiceToken | undefined>
}
