import { boundOfService, type CallingService, hasScope, requireAnyScope } from '../../identity/authentication/calling-service.ts'
import { isWithin } from '../../identity/records/bound.ts'
import { ConfirmationNotFound } from '../confirmations/errors.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { Confirmation } from '../records/confirmation.ts'

/**
 * Returns a confirmation that the service may use: the service itself or no service initiated it, and the service has this right
 * for its type. If the token is bound to tenants, the confirmation must be in one of them. Any other one does not exist for the
 * service.
 *
 * @throws ConfirmationNotFound
 */
export const confirmationOfService = async (
  { storage }: Pick<ApprovalDeps, 'storage'>,
  service: CallingService,
  id: string,
  rightFor: (actionType: string) => string,
): Promise<Confirmation> => {
  const confirmation = await storage.confirmations.ofService(service.name, id)
  const isKnown =
    confirmation && hasScope(service, rightFor(confirmation.actionType)) && isWithin(boundOfService(service), confirmation.tenant)
  if (!isKnown) throw new ConfirmationNotFound()
  return confirmation
}

/**
 * Returns a confirmation of a service, of a type for which it has a right. A service without this right for any type gets the same
 * error for every id. So no error tells what exists.
 *
 * @throws MissingScope, ConfirmationNotFound
 */
export const requireConfirmation = async (
  deps: Pick<ApprovalDeps, 'storage'>,
  service: CallingService,
  id: string,
  right: `confirmation.${string}:`,
): Promise<Confirmation> => {
  requireAnyScope(service, right)
  return confirmationOfService(deps, service, id, (actionType) => `${right}${actionType}`)
}
