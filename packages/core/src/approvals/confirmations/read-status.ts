import type { Checked } from '@countersign/contract'
import type { Caller } from '../../identity/authentication/caller.ts'
import type { ApprovalDeps } from '../deps.ts'
import { ConfirmationNotFound } from './errors.ts'
import { type ConfirmationView, viewOf } from './read-confirmation.ts'

/**
 * Returns one of the caller's confirmations, with its status at this moment. @throws ConfirmationNotFound
 * @example const { status } = await countersign.confirmations.status({ caller, confirmationId })
 */
export async function readStatus(
  deps: Pick<ApprovalDeps, 'storage' | 'clock' | 'encryptionKeys'>,
  input: Checked<'confirmations.status'> & { readonly caller: Pick<Caller, 'userId'> },
): Promise<ConfirmationView> {
  const confirmation = await deps.storage.confirmations.ofUser(input.caller.userId, input.confirmationId)
  if (confirmation === undefined) throw new ConfirmationNotFound()
  return viewOf(deps, confirmation, deps.clock.now())
}
