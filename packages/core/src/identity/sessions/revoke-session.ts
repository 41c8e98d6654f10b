import { NothingToChange } from '../../shared/errors.ts'
import { SessionNotFound } from '../authentication/errors.ts'
import { type SessionProfile, toSessionProfile } from './session-profile.ts'
import { type EndingDeps, endAndUndo } from './undo-ended-sessions.ts'

/**
 * Ends a session by its id, for admins, and undoes its work (`undoEndedSessions`).
 * @throws SessionNotFound, NothingToChange if the session has ended already
 * @example await countersign.sessions.revoke({ id: session.id })
 */
export async function revokeSession(deps: EndingDeps, input: { readonly id: string }): Promise<SessionProfile> {
  const { sessions } = deps.storage
  const { id } = input
  const session = await sessions.byId(id)
  if (session === undefined) throw new SessionNotFound()
  await endAndUndo(deps, { userId: session.userId }, async (tx, now) => {
    if (!(await tx.sessions.end(id, 'revoked', now))) throw new NothingToChange('The session has ended already')
  })
  return toSessionProfile(deps, (await sessions.byId(id)) ?? session)
}
