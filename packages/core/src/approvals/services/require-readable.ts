import { type CallingService, hasScope, MissingScope } from '../../identity/authentication/calling-service.ts'
import { ConfirmationNotFound } from '../confirmations/errors.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { Confirmation } from '../records/confirmation.ts'

const READ = 'confirmation.read:'

/**
 * Returns a confirmation that the service may read: its own, or one that no service initiated, of a type for which it has the
 * scope `confirmation.read:TYPE`. A service without any such scope gets the same error for every id. For a service with such a
 * scope, a confirmation of another type does not exist. So no error tells what exists.
 *
 * @throws MissingScope, ConfirmationNotFound
 */
export const requireReadable = async (
  { storage }: Pick<ApprovalDeps, 'storage'>,
  service: CallingService,
  id: string,
): Promise<Confirmation> => {
  if (!service.scopes.some((scope) => scope.startsWith(READ) && hasScope(service, scope))) throw new MissingScope()
  const confirmation = await storage.confirmations.ofService(service.name, id)
  if (confirmation === undefined || !hasScope(service, `${READ}${confirmation.actionType}`)) throw new ConfirmationNotFound()
  return confirmation
}
