import type { ServiceToken, SessionStanding } from '@countersign/core'

/** Who may still do what, now; see `sessions.standing` and `serviceTokens.standing`. */
export interface Standings {
  session(id: string): Promise<SessionStanding | undefined>
  serviceToken(id: string): Promise<ServiceToken | undefined>
}
