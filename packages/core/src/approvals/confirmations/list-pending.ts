import type { Caller } from '../../identity/authentication/caller.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type ConfirmationView, viewsOf } from './read-confirmation.ts'
import { requireSigner } from './signatures/signers.ts'

/**
 * Returns the pending confirmations of the caller, newest first. Those of approval requests are at most
 * `pendingConfirmationsPerUser`, the newest, because any number of colleagues can start requests.
 *
 * @throws InsufficientTrustLevel for a session that no trusted device or passkey opened; see `signerOf`
 */
export async function listPending(
  deps: Pick<ApprovalDeps, 'storage' | 'clock' | 'options' | 'encryptionKeys'>,
  input: { readonly caller: Caller },
): Promise<readonly ConfirmationView[]> {
  requireSigner(deps, input.caller)
  const now = deps.clock.now()
  const { pendingConfirmationsPerUser } = deps.options
  const pending = await deps.storage.confirmations.pendingOfUser(input.caller.userId, now, pendingConfirmationsPerUser)
  return viewsOf(deps, pending, now)
}
