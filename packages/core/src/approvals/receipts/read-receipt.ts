import { type BoundCaller, boundOfCaller } from '../../identity/sessions/bound-of-caller.ts'
import { confirmationOfAsker } from '../askers/asked-confirmation.ts'
import { ConfirmationNotFound } from '../confirmations/errors.ts'
import type { ApprovalDeps, ByCaller, ByService } from '../deps.ts'
import { ReceiptNotFound, ReceiptsNotConfigured } from '../receipt-keys/errors.ts'
import { type Confirmation, reachesConfirmation } from '../records/confirmation.ts'

/**
 * Returns the receipt of one of the caller's approved confirmations that the session reaches.
 * @throws ReceiptNotFound, ReceiptUnavailable, ReceiptsNotConfigured, ReceiptsUnavailable, DataErased
 * @example const receipt = await countersign.receipts.ofUser({ caller, confirmationId })
 */
export async function readReceipt(
  deps: ApprovalDeps,
  { caller, confirmationId }: ByCaller<'confirmations.receipt', BoundCaller>,
): Promise<string> {
  const tenants = await boundOfCaller(deps, caller)
  const confirmation = await deps.storage.confirmations.byId(confirmationId)
  const isKnown = confirmation?.userId === caller.userId && reachesConfirmation(tenants, confirmation)
  return receiptOf(deps, isKnown ? confirmation : undefined)
}

/**
 * Returns the receipt of any approved confirmation, or one in a tenant, for an administrator.
 * @throws ReceiptNotFound, ReceiptUnavailable, ReceiptsNotConfigured, ReceiptsUnavailable, DataErased
 * @example const receipt = await countersign.receipts.export({ confirmationId })
 */
export async function exportReceipt(
  deps: ApprovalDeps,
  { confirmationId, tenant }: { readonly confirmationId: string; readonly tenant?: string | undefined },
): Promise<string> {
  const confirmation = await deps.storage.confirmations.byId(confirmationId)
  return receiptOf(deps, tenant === undefined || confirmation?.tenant === tenant ? confirmation : undefined)
}

const receiptOf = async ({ clock, issueReceipt }: ApprovalDeps, confirmation: Confirmation | undefined): Promise<string> => {
  if (confirmation?.status !== 'approved') throw new ReceiptNotFound()
  if (issueReceipt === undefined) throw new ReceiptsNotConfigured()
  return issueReceipt(confirmation, { issuedAt: clock.now() })
}

/**
 * Returns the receipt of an approved confirmation to a service. Reading consumes nothing: a receipt is never a permission.
 * @throws MissingScope, ConfirmationNotFound also if nobody has approved, ReceiptsNotConfigured
 * @example const receipt = await countersign.services.receipt({ service, confirmationId })
 */
export async function receiptForService(
  deps: ApprovalDeps,
  { service, confirmationId }: ByService<'services.receipt'>,
): Promise<string> {
  const confirmation = await confirmationOfAsker(deps, { service, confirmationId }, 'read')
  if (confirmation.status !== 'approved') throw new ConfirmationNotFound()
  return receiptOf(deps, confirmation)
}
