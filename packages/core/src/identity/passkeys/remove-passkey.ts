import type { Checked } from '@countersign/contract'
import type { Caller } from '../authentication/caller.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import { PasskeyNotFound } from './errors.ts'

/**
 * Removes a passkey of the caller and ends the sessions that it opened, in one transaction. Signatures of the passkey are
 * refused from then on. The user's devices are notified.
 *
 * @throws PasskeyNotFound, also for a passkey of another user
 */
export const removePasskey = async (
  deps: NotifyOfChangeDeps,
  input: Checked<'passkeys.remove'> & { readonly caller: Pick<Caller, 'userId'> },
): Promise<void> => {
  const { storage, clock } = deps
  const now = clock.now()
  const removed = await storage.transaction(async (tx) => {
    const found = await tx.passkeys.remove(input.caller.userId, input.credentialId)
    if (found) await tx.sessions.endAllOfPasskey(input.caller.userId, input.credentialId, 'passkey_removed', now)
    return found
  })
  if (!removed) throw new PasskeyNotFound()
  notifyOfChange(deps, { userId: input.caller.userId, change: 'passkey_removed' })
}
