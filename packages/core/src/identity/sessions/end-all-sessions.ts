import { UserNotFound } from '../user-model/errors.ts'
import { type NamedUser, storedUser } from './named-user.ts'
import { type EndingDeps, endAndUndo } from './undo-ended-sessions.ts'

/**
 * Ends every live session of a user, also the sessions that devices opened, and undoes their work (`undoEndedSessions`). A host
 * calls it when the host signs a person out or blocks a person. Every server refuses the tokens within one second. Asks no
 * directory, so it works while the directory of the host is unavailable. Returns the number of ended sessions: 0 also for a user
 * of the directory who is not stored, because no session was ever opened for such a user.
 * @throws UserNotFound for an unknown id or email
 * @example const ended = await countersign.sessions.endAll({ user: { directoryId: customer.id } })
 */
export async function endAllSessions(deps: EndingDeps, input: { readonly user: NamedUser }): Promise<number> {
  const user = await storedUser(deps, input.user)
  if (user === undefined && typeof input.user.directoryId === 'string') return 0
  if (user === undefined) throw new UserNotFound()
  return endAndUndo(deps, { userId: user.id }, (tx, now) => tx.sessions.endAll({ userId: user.id }, 'revoked', now))
}
