import type { Instant } from '../../shared/clock.ts'
import type { Soon } from '../../shared/maybe-promise.ts'
import type { ServiceToken } from './service-token.ts'

/** The tokens of calling services, by their identity. */
export interface ServiceTokenStore {
  add(token: ServiceToken): Promise<void>
  /** All, revoked and expired ones included, newest first. */
  list(): Promise<readonly ServiceToken[]>
  /** The token where it exists and is not revoked. As current as `SessionStore.standing`. */
  standing(id: string): Soon<ServiceToken | undefined>
  /** Revokes and returns the token, again where it was revoked before; `undefined` where there is none. */
  revoke(id: string, now: Instant): Promise<ServiceToken | undefined>
}
