import type { RequestView, ViewDeps } from '../requests/request-view.ts'
import { type AskedConfirmation, askedConfirmation, type WithdrawnConfirmation } from './asked-confirmation.ts'
import { askedRequest, type WithdrawnRequest } from './asked-request.ts'
import type { Asked, Asker, AskerAct } from './asker.ts'

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
