import { viewOf } from '../confirmations/read-confirmation.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type RequestView, requestViewOf } from '../requests/request-view.ts'
import { type AskedConfirmation, confirmationOfAsker } from './asked-confirmation.ts'
import { requestOfAsker } from './asked-request.ts'
import type { OfConfirmation, OfRequest } from './asker.ts'

/**
 * Returns a confirmation with its status at this moment: to a user their own; to a service those of types for which it has the
 * scope `confirmation.read:TYPE`. Nothing else exists for the asker, nor anything outside of the tenants to which it is bound.
 * @throws MissingScope for a service without the scope for any type, ConfirmationNotFound
 * @example
 * const { status } = await countersign.confirmations.status({ caller, confirmationId })
 * const { approvedAt } = await countersign.services.confirmation({ service, confirmationId })
 */
export async function readConfirmation(deps: ApprovalDeps, asked: OfConfirmation): Promise<AskedConfirmation> {
  const confirmation = await confirmationOfAsker(deps, asked, 'read')
  const { evidence, consumedAt, voidedAt } = confirmation
  const view = await viewOf(deps, confirmation, deps.clock.now())
  return { ...view, approvedAt: evidence?.approvedAt ?? null, consumedAt, voidedAt }
}

/**
 * Returns an approval request with its status at this moment: to a user those that they started or were asked to approve; to a
 * service those of types for which it has the scope `approval.read:TYPE`. See `confirmations.status`.
 * @throws MissingScope for a service without the scope for any type, ApprovalNotFound
 * @example
 * const { groups } = await countersign.approvalRequests.read({ caller, approvalId })
 * const { approvals } = await countersign.approvalRequests.readForService({ service, approvalId })
 */
export async function readRequest(deps: ApprovalDeps, asked: OfRequest): Promise<RequestView> {
  return requestViewOf(deps, await requestOfAsker(deps, asked, 'read'))
}
