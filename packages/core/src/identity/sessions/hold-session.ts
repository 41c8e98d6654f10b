import type { Caller } from '../authentication/caller.ts'
import { InvalidAccessToken } from '../authentication/errors.ts'
import type { IdentityStores } from '../stores.ts'

/** A caller in a session; without a session, an administrator who acts for the user. */
export type SessionOrAdmin = Pick<Caller, 'userId'> & Partial<Pick<Caller, 'sessionId' | 'tenants'>>

/**
 * Holds the live session of the caller until the transaction ends, so that nothing is written for an ended session or a deleted
 * user.
 *
 * @throws InvalidAccessToken if the session has ended
 */
export const holdSession = async (tx: Pick<IdentityStores, 'sessions'>, { userId, sessionId }: SessionOrAdmin): Promise<void> => {
  if (sessionId !== undefined && !(await tx.sessions.hold(sessionId, userId))) throw new InvalidAccessToken()
}
