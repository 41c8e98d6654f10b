import type { ServiceToken, SessionStanding, Soon } from '@countersign/core'

/** Who may still do what, now; see `sessions.standing` and `serviceTokens.standing`. */
export interface Standings {
  session(id: string): Soon<SessionStanding | undefined>
  serviceToken(id: string): Soon<ServiceToken | undefined>
}
