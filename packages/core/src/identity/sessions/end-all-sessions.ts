import type { IdentityDeps } from '../deps.ts'
import type { NotifyOfChangeDeps } from '../push/notify-of-change.ts'
import { type NamedUser, requireStoredUser } from './named-user.ts'
import { notifyOfRemoved, undoEndedSessions } from './undo-ended-sessions.ts'

/**
 * Ends every live session of a user, those of devices included, and undoes their work (`undoEndedSessions`). For a host that signs a
 * person out or blocks a person. Every server refuses the tokens within one second. Asks no directory, so it works while the
 * directory of the host is away. Returns the number of ended sessions.
 *
 * @throws UserNotFound if no such user is stored
 */
export async function endAllSessions(
  deps: NotifyOfChangeDeps & Pick<IdentityDeps, 'endings'>,
  input: { readonly user: NamedUser },
): Promise<number> {
  const { id: userId } = await requireStoredUser(deps, input.user)
  const { ended, removed } = await deps.storage.transaction(async (tx) => {
    const now = deps.clock.now()
    await tx.trust.lock(userId)
    const ended = await tx.sessions.endAllOfUser(userId, 'revoked', now)
    return { ended, removed: await undoEndedSessions(deps, tx, userId, now, 'of_ended_sessions') }
  })
  notifyOfRemoved(deps, userId, removed)
  return ended
}
