import { boundOfService, type CallingService, hasScope, requireScope } from '../../identity/authentication/calling-service.ts'
import { isWithin } from '../../identity/records/bound.ts'
import type { Instant } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { confirmationOfService } from '../askers/asked-confirmation.ts'
import { notifyOfEndedRequest, type SettledDeps } from '../confirmations/notify-devices.ts'
import type { ByService } from '../deps.ts'
import { ReceiptsNotConfigured } from '../receipt-keys/errors.ts'
import type { Confirmation } from '../records/confirmation.ts'
import type { StatedPolicy, SubjectAnswer, UseDeps } from '../use/subject.ts'
import { type Consumer, use } from '../use/use.ts'

/** A consumed approval with its receipt. */
export interface UseWithReceipt {
  readonly confirmation: Confirmation & { readonly consumedAt: Instant }
  readonly receipt: string
}

/** A redeemed request, with the receipt of each approval that was consumed, the earliest first. */
export interface RedeemedRequest extends SubjectAnswer {
  readonly redeemedAt: Instant
  readonly receipts: readonly string[]
}

const asService = ({ name }: CallingService, key: string | undefined): Consumer => ({ kind: 'service', name, key: key ?? null })

/**
 * Consumes an approval for an action that another service carries out, once. The same service with the same `idempotencyKey` gets
 * the same answer again, because an answer may be lost.
 * @throws MissingScope without the scope `confirmation.redeem:TYPE`, ReceiptsNotConfigured before anything is consumed
 * @throws ConfirmationNotFound also for a confirmation of another service or for another user, and outside of the service's tenants
 * @throws ConfirmationNotApproved, ActionMismatch, ConfirmationConsumed, ConfirmationTooOld
 * @example
 * const use = { confirmationId, userId, actionType, actionPayload, idempotencyKey: payment.id }
 * const { receipt } = await countersign.services.redeem({ service, ...use })
 */
export async function redeem(
  deps: UseDeps,
  { service, confirmationId, userId, idempotencyKey, ...action }: ByService<'services.redeem'>,
): Promise<UseWithReceipt> {
  const rightFor = (type: string): string => `confirmation.redeem:${type}`
  requireScope(service, rightFor(action.actionType))
  await confirmationOfService(deps, service, confirmationId, rightFor)
  if (deps.issueReceipt === undefined) throw new ReceiptsNotConfigured()
  const subject = { confirmationId, userId }
  const { votes, receipts, usedAt } = await use(deps, { subject, action, consumer: asService(service, idempotencyKey) })
  const [[vote], [receipt]] = [votes, receipts]
  if (vote === undefined || receipt === undefined) throw new TypeError('a redeemed confirmation has one vote and one receipt')
  return { confirmation: { ...vote, consumedAt: usedAt }, receipt }
}

/**
 * Redeems an approval request: consumes exactly as many approvals as it needs, or none. The receipts are made first. The same
 * service with the same `idempotencyKey` gets the same answer again.
 * @throws MissingScope without the scope `approval.redeem:TYPE`, ReceiptsNotConfigured before anything is consumed
 * @throws ApprovalNotFound also for a type for which the service has no scope, and outside of its tenants
 * @throws Invalid unless the policy is stated in exactly one way: the digest, the groups, or permission and count
 * @throws ActionMismatch, OtherPolicy, PolicyChanged, ApprovalNotApproved, ApprovalRedeemed, ApprovalExpired
 * @example
 * const policy = { permission: 'payment.approve', count: 2 }
 * const use = { approvalId, actionType, actionPayload, idempotencyKey: payment.id }
 * const { receipts } = await countersign.approvalRequests.redeem({ service, ...use, ...policy })
 */
export async function redeemRequest(
  deps: UseDeps & SettledDeps,
  input: ByService<'services.redeemApproval'>,
): Promise<RedeemedRequest> {
  const { service, approvalId, idempotencyKey, actionType, actionPayload, operation, tenant, ...policy } = input
  requireStated(policy)
  const rightFor = (type: string): string => `approval.redeem:${type}`
  requireScope(service, rightFor(actionType))
  if (deps.issueReceipt === undefined) throw new ReceiptsNotConfigured()
  const { usedAt, id, count, expiresAt, receipts } = await use(deps, {
    subject: {
      requestId: approvalId,
      isKnown: (request) => hasScope(service, rightFor(request.actionType)) && isWithin(boundOfService(service), request.tenant),
    },
    action: { actionType, actionPayload, operation, tenant },
    policy,
    consumer: asService(service, idempotencyKey),
  })
  notifyOfEndedRequest(deps, approvalId, usedAt)
  return { id, count, expiresAt, redeemedAt: usedAt, receipts }
}

/** @throws Invalid unless the policy is stated in exactly one way */
const requireStated = ({ digest, groups, permission, count }: StatedPolicy): void => {
  const ways = [digest, groups, permission ?? count].filter((way) => way !== undefined)
  if (ways.length === 1 && (permission === undefined) === (count === undefined)) return
  const missing = permission !== undefined && count === undefined ? 'count' : 'permission'
  throw new Invalid({ [missing]: 'must be given with permission and count, or digest or groups instead of both' })
}
