import { type CallingService, hasScope, isWithin, MissingScope } from '../../identity/authentication/calling-service.ts'
import { ConfirmationNotFound } from '../confirmations/errors.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { Confirmation } from '../records/confirmation.ts'

const READ = 'confirmation.read:'

/**
 * Returns the confirmation of a service: its own, or one that no service initiated, of a type for which it has this right, and in a
 * scope to which its token is bound, if it is bound. Any other confirmation does not exist for the service.
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
  const isKnown = confirmation && hasScope(service, rightFor(confirmation.actionType)) && isWithin(service, confirmation.scope)
  if (!isKnown) throw new ConfirmationNotFound()
  return confirmation
}

/**
 * Returns a confirmation that the service may read, with the scope `confirmation.read:TYPE`. A service without any such scope gets the same error for every id. For a service with such a
 * scope, a confirmation of another type does not exist. So no error tells what exists.
 *
 * @throws MissingScope, ConfirmationNotFound
 */
export const requireReadable = async (
  deps: Pick<ApprovalDeps, 'storage'>,
  service: CallingService,
  id: string,
): Promise<Confirmation> => {
  if (!service.scopes.some((scope) => scope.startsWith(READ) && hasScope(service, scope))) throw new MissingScope()
  return confirmationOfService(deps, service, id, (actionType) => `${READ}${actionType}`)
}
