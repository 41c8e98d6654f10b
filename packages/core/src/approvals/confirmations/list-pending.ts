import { type Caller, requireDevice } from '../../identity/authentication/caller.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type ConfirmationView, toView } from './read-confirmation.ts'

/** Returns the pending confirmations of the caller, newest first. @throws InsufficientTrustLevel for a session without device */
export const listPending = async (
  deps: Pick<ApprovalDeps, 'storage' | 'clock' | 'encryptionKeys'>,
  input: { readonly caller: Caller },
): Promise<readonly ConfirmationView[]> => {
  requireDevice(input.caller)
  const now = deps.clock.now()
  const pending = await deps.storage.confirmations.pendingOfUser(input.caller.userId, now)
  return pending.map((confirmation) => toView(deps, confirmation, now))
}
