import type { ServiceToken, SessionStatus } from '@countersign/core/storage'

/** Reads the current status of sessions and service tokens; see `sessions.status` and `serviceTokens.status`. */
export interface SessionStatusReader {
  session(id: string): Promise<SessionStatus | undefined>
  serviceToken(id: string): Promise<ServiceToken | undefined>
}
