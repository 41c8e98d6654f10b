import type { RequestView, ViewDeps } from '../requests/request-view.ts'
import { type AskedConfirmation, askedConfirmation, type WithdrawnConfirmation } from './asked-confirmation.ts'
import { askedRequest, type WithdrawnRequest } from './asked-request.ts'
import type { Asked, Asker, AskerAct } from './asker.ts'

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

export type OfConfirmation = Asker & { readonly confirmationId: string }

export type OfRequest = Asker & { readonly approvalId: string }

/**
 * Finds the confirmation or the approval request that an asker names.
 * @throws MissingScope for a service without the scope for any type, ConfirmationNotFound, ApprovalNotFound
 */
export const findAsked = (
  deps: ViewDeps,
  named: OfConfirmation | OfRequest,
  act: AskerAct,
): Promise<Asked<AskedConfirmation | RequestView, WithdrawnConfirmation | WithdrawnRequest>> =>
  'confirmationId' in named
    ? askedConfirmation(deps, named, named.confirmationId, act)
    : askedRequest(deps, named, named.approvalId, act)
