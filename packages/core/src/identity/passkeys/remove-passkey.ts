import type { Checked } from '@countersign/contract'
import type { Caller } from '../authentication/caller.ts'
import { notifyOfChange } from '../push/notify-of-change.ts'
import { reaches } from '../records/bound.ts'
import { boundOfCaller } from '../sessions/bound-of-caller.ts'
import type { SessionOrAdmin } from '../sessions/hold-session.ts'
import { type EndingDeps, endAndUndo } from '../sessions/undo-ended-sessions.ts'
import { PasskeyNotFound } from './errors.ts'

/**
 * Removes a passkey of the caller, ends the sessions that it opened, and undoes their work (`undoEndedSessions`), in one
 * transaction. Signatures of the passkey are refused from then on. The user's devices are notified.
 * @throws PasskeyNotFound, also for a passkey of another user, and for a passkey that a bound caller does not reach
 * @throws InvalidAccessToken if the session of the caller has ended
 * @example await countersign.passkeys.remove({ caller, credentialId })
 */
export function removePasskey(
  deps: EndingDeps,
  { caller, credentialId }: Checked<'passkeys.remove'> & { readonly caller: Pick<Caller, 'userId' | 'sessionId' | 'tenants'> },
): Promise<void> {
  return removePasskeyFor(deps, caller, credentialId)
}

/** Does the same for a caller or an administrator. */
export const removePasskeyFor = async (deps: EndingDeps, caller: SessionOrAdmin, id: string): Promise<void> => {
  const { userId } = caller
  const tenants = await boundOfCaller(deps, caller)
  await endAndUndo(
    deps,
    caller,
    async (tx, now) => {
      const passkey = await tx.passkeys.lock(userId, id)
      if (passkey === undefined || !reaches(tenants, passkey.tenants)) throw new PasskeyNotFound()
      const formerly = (await tx.passkeys.pushTokensOf(userId)).find((one) => one.passkeyId === id)
      await tx.passkeys.remove(userId, id, now)
      await tx.sessions.endAll({ userId, passkeyId: id }, 'passkey_removed', now)
      return formerly
    },
    (formerly) => notifyOfChange(deps, { userId, change: 'passkey_removed', ...(formerly && { formerly }) }),
  )
}
