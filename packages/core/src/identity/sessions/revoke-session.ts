import { NothingToChange } from '../../shared/errors.ts'
import { SessionNotFound } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import type { NotifyOfChangeDeps } from '../push/notify-of-change.ts'
import { type SessionProfile, toSessionProfile } from './session-profile.ts'
import { notifyOfUndone, undoEndedSessions } from './undo-ended-sessions.ts'

/**
 * Ends a session by its id, for admins, and undoes its work (`undoEndedSessions`).
 *
 * @throws SessionNotFound, NothingToChange if the session has ended already
 */
export async function revokeSession(
  deps: NotifyOfChangeDeps & Pick<IdentityDeps, 'endings'>,
  input: { readonly id: string },
): Promise<SessionProfile> {
  const { storage, clock } = deps
  const { id } = input
  const session = await storage.sessions.byId(id)
  if (session === undefined) throw new SessionNotFound()
  const { userId } = session
  const removed = await storage.transaction(async (tx) => {
    const now = clock.now()
    await tx.trust.lock(userId)
    if (!(await tx.sessions.end(id, 'revoked', now))) throw new NothingToChange('The session has ended already')
    return undoEndedSessions(deps, tx, userId, now, 'of_ended_sessions')
  })
  notifyOfUndone(deps, userId, removed)
  return toSessionProfile(deps, (await storage.sessions.byId(id)) ?? session)
}
