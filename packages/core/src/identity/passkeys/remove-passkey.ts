import type { Checked } from '@countersign/contract'
import type { IdentityDeps } from '../deps.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import { type CallerOrAdmin, holdSession } from '../sessions/hold-session.ts'
import { notifyOfRemoved, undoEndedSessions } from '../sessions/undo-ended-sessions.ts'
import { PasskeyNotFound } from './errors.ts'

/**
 * Removes a passkey of the caller, ends the sessions that it opened, and undoes their work (`undoEndedSessions`), in one
 * transaction. Signatures of the passkey are refused from then on. The user's devices are notified.
 *
 * @throws PasskeyNotFound, also for a passkey of another user
 * @throws InvalidAccessToken where the session of the caller has ended
 */
export const removePasskey = async (
  deps: NotifyOfChangeDeps & Pick<IdentityDeps, 'endings'>,
  input: Checked<'passkeys.remove'> & { readonly caller: CallerOrAdmin },
): Promise<void> => {
  const { storage, clock } = deps
  const { userId } = input.caller
  const now = clock.now()
  const removed = await storage.transaction(async (tx) => {
    await tx.trust.lock(userId)
    await holdSession(tx, input.caller)
    if (!(await tx.passkeys.remove(userId, input.credentialId))) throw new PasskeyNotFound()
    await tx.sessions.endAllOfPasskey(userId, input.credentialId, 'passkey_removed', now)
    return undoEndedSessions(deps, tx, userId, now, 'of_ended_sessions')
  })
  notifyOfChange(deps, { userId, change: 'passkey_removed' })
  notifyOfRemoved(deps, userId, removed)
}
