import type { Checked } from '@countersign/contract'
import { type CallingService, requireScope } from '../../identity/authentication/calling-service.ts'
import { type ConsumeDeps, consumerName } from '../consumption/consume-in.ts'
import { consumeWithReceipt, type UseWithReceipt } from '../consumption/receipt-of-use.ts'
import type { ApprovalDeps } from '../deps.ts'
import { ReceiptsNotConfigured } from '../receipt-keys/errors.ts'
import { confirmationOfService } from './confirmation-of-service.ts'

/** The redemption of an approval by another service. */
export type Redeem = Checked<'services.redeem'> & { readonly service: CallingService }

/**
 * Consumes an approval for an action that another service carries out, once. The same service with the same `idempotencyKey` gets
 * the same answer again, so that it can repeat a call whose answer was lost. A confirmation of another type, for which the service
 * has no scope, does not exist for the service.
 * @throws MissingScope without the scope `confirmation.redeem:TYPE`
 * @throws ReceiptsNotConfigured before anything is consumed
 * @throws ConfirmationNotFound also for a confirmation of another service or for another user, and outside of the service's tenants
 * @throws ConfirmationNotApproved, ActionMismatch, ConfirmationConsumed, ConfirmationTooOld
 * @example
 * const use = { confirmationId, userId, actionType, actionPayload, idempotencyKey: payment.id }
 * const { receipt } = await countersign.services.redeem({ service, ...use })
 */
export async function redeem(
  deps: ConsumeDeps & Pick<ApprovalDeps, 'storage' | 'users' | 'random' | 'issueReceipt'>,
  { service, confirmationId, userId, actionType, actionPayload, idempotencyKey, operation, tenant }: Redeem,
): Promise<UseWithReceipt> {
  const { storage, users, issueReceipt } = deps
  requireScope(service, redeemScope(actionType))
  await confirmationOfService(deps, service, confirmationId, redeemScope)
  if (issueReceipt === undefined) throw new ReceiptsNotConfigured()
  // Brings the row of the user up to date, because the statement that consumes reads the row.
  if (users.areKeptByHost) await users.byId(userId)
  const use = {
    confirmationId,
    userId,
    actionType,
    actionPayload,
    operation,
    tenant,
    consumedBy: consumerName('service', service.name),
    consumedKey: idempotencyKey ?? null,
  }
  return consumeWithReceipt(deps, storage, use, issueReceipt, idempotencyKey !== undefined)
}

const redeemScope = (actionType: string): string => `confirmation.redeem:${actionType}`
