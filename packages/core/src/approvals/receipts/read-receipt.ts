import type { Checked } from '@countersign/contract'
import type { CallingService } from '../../identity/authentication/calling-service.ts'
import { type BoundCaller, boundOfCaller } from '../../identity/sessions/bound-of-caller.ts'
import { confirmationOfAsker } from '../askers/asked-confirmation.ts'
import { ConfirmationNotFound } from '../confirmations/errors.ts'
import type { ApprovalDeps } from '../deps.ts'
import { ReceiptNotFound, ReceiptsNotConfigured } from '../receipt-keys/errors.ts'
import { type Confirmation, reachesConfirmation, statusAt } from '../records/confirmation.ts'

type ReadDeps = Pick<ApprovalDeps, 'storage' | 'clock' | 'issueReceipt'>

/**
 * Returns the receipt of one of the caller's approved confirmations.
 * @throws ReceiptNotFound unless the confirmation is approved, and the session of the caller reaches it
 * @throws ReceiptUnavailable, ReceiptsNotConfigured, ReceiptsUnavailable, DataErased
 * @example const receipt = await countersign.receipts.ofUser({ caller, confirmationId })
 */
export async function readReceipt(
  deps: ReadDeps,
  { caller, confirmationId }: Checked<'confirmations.receipt'> & { readonly caller: BoundCaller },
): Promise<string> {
  const tenants = await boundOfCaller(deps, caller)
  const confirmation = await deps.storage.confirmations.byId(confirmationId)
  const isKnown = confirmation?.userId === caller.userId && reachesConfirmation(tenants, confirmation)
  return receiptOf(deps, isKnown ? confirmation : undefined)
}

/**
 * Returns the receipt of any approved confirmation, or one in a tenant, for an administrator.
 * @throws ReceiptNotFound unless the confirmation is approved
 * @throws ReceiptUnavailable, ReceiptsNotConfigured, ReceiptsUnavailable, DataErased
 * @example const receipt = await countersign.receipts.export({ confirmationId })
 */
export async function exportReceipt(
  deps: ReadDeps,
  { confirmationId, tenant }: { readonly confirmationId: string; readonly tenant?: string | undefined },
): Promise<string> {
  const confirmation = await deps.storage.confirmations.byId(confirmationId)
  return receiptOf(deps, tenant === undefined || confirmation?.tenant === tenant ? confirmation : undefined)
}

/** Returns the receipt of a confirmation that the caller may read, issued now. */
const receiptOf = async (
  { clock, issueReceipt }: Pick<ReadDeps, 'clock' | 'issueReceipt'>,
  confirmation: Confirmation | undefined,
): Promise<string> => {
  if (confirmation?.status !== 'approved') throw new ReceiptNotFound()
  if (issueReceipt === undefined) throw new ReceiptsNotConfigured()
  return issueReceipt(confirmation, { issuedAt: clock.now() })
}

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
