import type { ServiceToken, SessionStatus } from '@countersign/core/storage'

/** Who may still do what, now; see `sessions.status` and `serviceTokens.status`. */
export interface Standings {
  session(id: string): Promise<SessionStatus | undefined>
  serviceToken(id: string): Promise<ServiceToken | undefined>
}
