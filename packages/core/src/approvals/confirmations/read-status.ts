import type { Checked } from '@countersign/contract'
import type { BoundCaller } from '../../identity/sessions/bound-of-caller.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type ConfirmationView, viewOf } from './read-confirmation.ts'
import { confirmationOfCaller } from './require-pending.ts'

/**
 * Returns one of the caller's confirmations, with its status at this moment. @throws ConfirmationNotFound
 * @example const { status } = await countersign.confirmations.status({ caller, confirmationId })
 */
export async function readStatus(
  deps: Pick<ApprovalDeps, 'storage' | 'clock' | 'encryptionKeys'>,
  input: Checked<'confirmations.status'> & { readonly caller: BoundCaller },
): Promise<ConfirmationView> {
  return viewOf(deps, await confirmationOfCaller(deps, input.caller, input.confirmationId), deps.clock.now())
}
