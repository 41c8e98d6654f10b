import { boundOfService, type CallingService, hasScope, requireAnyScope } from '../../identity/authentication/calling-service.ts'
import { isWithin } from '../../identity/records/bound.ts'
import type { Instant } from '../../shared/clock.ts'
import { ConfirmationNotFound } from '../confirmations/errors.ts'
import type { ConfirmationView } from '../confirmations/read-confirmation.ts'
import { confirmationOfCaller } from '../confirmations/require-pending.ts'
import type { ApprovalStorage } from '../deps.ts'
import { type Confirmation, isOpenTo } from '../records/confirmation.ts'
import { vouchingOf } from '../vouching/settle-vouching.ts'
import type { AskerAct, OfConfirmation } from './asker.ts'

/** A confirmation as its asker sees it. */
export interface AskedConfirmation extends ConfirmationView, Pick<Confirmation, 'consumedAt' | 'voidedAt'> {
  /** `null` until the approval. */
  readonly approvedAt: Instant | null
}

/** The scope that a service needs, without the type of the action. */
const rights = { read: 'confirmation.read:', withdraw: 'confirmation.initiate:' } as const

/**
 * Returns a confirmation that the service may use: no other service initiated it, the service has this right for its type, and it
 * is in a tenant of the token. @throws ConfirmationNotFound
 */
export const confirmationOfService = async (
  { storage }: ApprovalStorage,
  service: CallingService,
  id: string,
  rightFor: (actionType: string) => string,
): Promise<Confirmation> => {
  const confirmation = await storage.confirmations.byId(id)
  const isKnown =
    confirmation &&
    isOpenTo(service.name, confirmation) &&
    hasScope(service, rightFor(confirmation.actionType)) &&
    isWithin(boundOfService(service), confirmation.tenant) &&
    (await vouchingOf({ storage }, confirmation)) === undefined
  if (!isKnown) throw new ConfirmationNotFound()
  return confirmation
}

/**
 * Returns a confirmation that its asker reaches: a user their own, a service those of the types for which it has the scope. A
 * service without this scope for any type gets the same error for every id. @throws MissingScope, ConfirmationNotFound
 */
export const confirmationOfAsker = async (deps: ApprovalStorage, asked: OfConfirmation, act: AskerAct): Promise<Confirmation> => {
  const { confirmationId: id } = asked
  if ('caller' in asked) return confirmationOfCaller(deps, asked.caller, id)
  const right = rights[act]
  requireAnyScope(asked.service, right)
  const confirmation = await confirmationOfService(deps, asked.service, id, (actionType) => `${right}${actionType}`)
  if (act === 'withdraw' && confirmation.initiatedBy === null) throw new ConfirmationNotFound()
  return confirmation
}
