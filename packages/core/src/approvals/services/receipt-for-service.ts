import type { Checked } from '@countersign/contract'
import type { CallingService } from '../../identity/authentication/calling-service.ts'
import { confirmationOfAsker } from '../askers/asked-confirmation.ts'
import { ConfirmationNotFound } from '../confirmations/errors.ts'
import type { ApprovalDeps } from '../deps.ts'
import { ReceiptsNotConfigured } from '../receipt-keys/errors.ts'
import { statusAt } from '../records/confirmation.ts'

/**
 * Returns the receipt of an approved confirmation to a service. Reading a receipt consumes nothing: a receipt is evidence, never
 * a permission.
 * @throws MissingScope, ConfirmationNotFound also if nobody has approved, ReceiptsNotConfigured
 * @example const receipt = await countersign.services.receipt({ service, confirmationId })
 */
export async function receiptForService(
  deps: Pick<ApprovalDeps, 'storage' | 'clock' | 'issueReceipt'>,
  { service, confirmationId }: Checked<'services.receipt'> & { readonly service: CallingService },
): Promise<string> {
  const confirmation = await confirmationOfAsker(deps, { service }, confirmationId, 'read')
  const now = deps.clock.now()
  if (statusAt(confirmation, now) !== 'approved') throw new ConfirmationNotFound()
  if (deps.issueReceipt === undefined) throw new ReceiptsNotConfigured()
  return deps.issueReceipt(confirmation, { issuedAt: now })
}
