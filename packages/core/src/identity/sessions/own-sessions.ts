import type { Checked } from '@countersign/contract'
import type { Caller } from '../authentication/caller.ts'
import { InvalidAccessToken } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { SessionNotFound } from './errors.ts'
import { type SessionProfile, toSessionProfile } from './session-profile.ts'

type CallerInSession = Pick<Caller, 'userId' | 'sessionId'>

/** A live session of the caller. `current` is true for the session of the request. */
export interface OwnSession extends SessionProfile {
  readonly current: boolean
}

/** Returns the live sessions of the caller, newest first. */
export const listOwnSessions = async (
  deps: Pick<IdentityDeps, 'storage' | 'clock' | 'encryptionKeys'>,
  { caller }: { readonly caller: CallerInSession },
): Promise<readonly OwnSession[]> => {
  const sessions = await deps.storage.sessions.liveOfUser(caller.userId, deps.clock.now())
  return sessions.map((session) => ({ ...toSessionProfile(deps, session), current: session.id === caller.sessionId }))
}

/** Ends a live session of the caller. @throws SessionNotFound, also for a session of another user or an ended session */
export const endOwnSession = async (
  { storage, clock }: Pick<IdentityDeps, 'storage' | 'clock'>,
  { sessionId, caller }: Checked<'sessions.end'> & { readonly caller: Pick<Caller, 'userId'> },
): Promise<void> => {
  const session = await storage.sessions.byId(sessionId)
  const isOwn = session?.userId === caller.userId
  if (!isOwn || !(await storage.sessions.end(sessionId, 'revoked', clock.now()))) throw new SessionNotFound()
}

/**
 * Ends every live session of the caller except the session of the request. Returns the number of ended sessions. The session of
 * the request must still be live, so that an ended session ends no other session.
 *
 * @throws InvalidAccessToken where the session of the request has ended
 */
export const endOtherSessions = (
  { storage, clock }: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: { readonly caller: CallerInSession },
): Promise<number> => {
  const { userId, sessionId } = input.caller
  return storage.transaction(async (tx) => {
    if (!(await tx.sessions.hold(sessionId, userId))) throw new InvalidAccessToken()
    return tx.sessions.endOthersOfUser(userId, sessionId, 'revoked', clock.now())
  })
}
