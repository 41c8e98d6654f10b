import type { RequestView, ViewDeps } from '../requests/request-view.ts'
import type { AskedConfirmation } from './asked-confirmation.ts'
import { findAsked, type OfConfirmation, type OfRequest } from './find-asked.ts'

/**
 * Returns a confirmation or an approval request with its status at this moment: to a user their own and the requests that they were
 * asked to approve; to a service those of types for which it has the scope `confirmation.read:TYPE` or `approval.read:TYPE`.
 * Nothing else exists for the asker, nor anything outside of the tenants to which it is bound.
 * @throws MissingScope for a service without the scope for any type, ConfirmationNotFound, ApprovalNotFound
 * @example
 * const { status } = await countersign.confirmations.status({ caller, confirmationId })
 * const { approvedAt } = await countersign.services.confirmation({ service, confirmationId })
 * const { groups } = await countersign.approvalRequests.read({ caller, approvalId })
 * const { approvals } = await countersign.approvalRequests.readForService({ service, approvalId })
 */
export function read(deps: ViewDeps, input: OfConfirmation): Promise<AskedConfirmation>
export function read(deps: ViewDeps, input: OfRequest): Promise<RequestView>
export async function read(deps: ViewDeps, input: OfConfirmation | OfRequest): Promise<AskedConfirmation | RequestView> {
  const asked = await findAsked(deps, input, 'read')
  return asked.view()
}
