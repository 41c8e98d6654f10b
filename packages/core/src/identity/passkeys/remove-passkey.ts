import type { Checked } from '@countersign/contract'
import type { Caller } from '../authentication/caller.ts'
import type { IdentityDeps } from '../deps.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import { holdSession, type SessionOrAdmin } from '../sessions/hold-session.ts'
import { notifyOfUndone, undoEndedSessions } from '../sessions/undo-ended-sessions.ts'
import { PasskeyNotFound } from './errors.ts'

type RemoveDeps = NotifyOfChangeDeps & Pick<IdentityDeps, 'endings'>

/**
 * Removes a passkey of the caller, ends the sessions that it opened, and undoes their work (`undoEndedSessions`), in one
 * transaction. Signatures of the passkey are refused from then on. The user's devices are notified.
 *
 * @throws PasskeyNotFound, also for a passkey of another user
 * @throws InvalidAccessToken if the session of the caller has ended
 */
export function removePasskey(
  deps: RemoveDeps,
  { caller, credentialId }: Checked<'passkeys.remove'> & { readonly caller: Pick<Caller, 'userId' | 'sessionId'> },
): Promise<void> {
  return removePasskeyFor(deps, caller, credentialId)
}

/** Does the same for a caller or an administrator. */
export const removePasskeyFor = async (deps: RemoveDeps, caller: SessionOrAdmin, id: string): Promise<void> => {
  const { storage, clock } = deps
  const { userId } = caller
  const now = clock.now()
  const removed = await storage.transaction(async (tx) => {
    await tx.trust.lock(userId)
    await holdSession(tx, caller)
    if (!(await tx.passkeys.remove(userId, id, now))) throw new PasskeyNotFound()
    await tx.sessions.endAllOfPasskey(userId, id, 'passkey_removed', now)
    return undoEndedSessions(deps, tx, userId, now, 'of_ended_sessions')
  })
  notifyOfChange(deps, { userId, change: 'passkey_removed' })
  notifyOfUndone(deps, userId, removed)
}
