import type { Checked } from '@countersign/contract'
import { boundOfService, type CallingService, hasScope, requireScope } from '../../identity/authentication/calling-service.ts'
import { isWithin } from '../../identity/records/bound.ts'
import { Invalid } from '../../shared/errors.ts'
import { notifyOfRejectedRequest, type SettledDeps } from '../confirmations/notify-devices.ts'
import { consumerName } from '../consumption/consume-in.ts'
import { ReceiptsNotConfigured } from '../receipt-keys/errors.ts'
import { type RedeemedRequest, type StatedPolicy, type UseRequestDeps, useRequest } from './use-request.ts'

/** The redemption of an approval request by another service. */
export type RedeemRequest = Checked<'services.redeemApproval'> & { readonly service: CallingService }

/**
 * Redeems an approval request: consumes exactly as many approvals as it needs, or none. The receipts are made first, so approvals
 * whose receipts cannot be made are not consumed. The same service with the same `idempotencyKey` gets the same answer again.
 * @throws MissingScope without the scope `approval.redeem:TYPE`
 * @throws ReceiptsNotConfigured before anything is consumed
 * @throws ApprovalNotFound also for a request of a type for which the service has no scope, and outside of its tenants
 * @throws Invalid unless the input states the policy in exactly one way: the digest, the groups, or permission and count
 * @throws PolicyChanged if the current policy asks for more than the policy that the approvers signed
 * @throws ActionMismatch, OtherPolicy, ApprovalRedeemed, ApprovalExpired
 * @throws ApprovalNotApproved also if the requester is disabled or locked
 * @example
 * const policy = { permission: 'payment.approve', count: 2 }
 * const use = { approvalId, actionType, actionPayload, idempotencyKey: payment.id }
 * const { receipts } = await countersign.approvalRequests.redeem({ service, ...use, ...policy })
 */
export async function redeemRequest(deps: UseRequestDeps & SettledDeps, input: RedeemRequest): Promise<RedeemedRequest> {
  const { service, approvalId, idempotencyKey, actionType, actionPayload, operation, tenant } = input
  requireStated(input)
  requireScope(service, redeemScope(actionType))
  if (deps.issueReceipt === undefined) throw new ReceiptsNotConfigured()
  const redeemed = await useRequest(deps, {
    approvalId,
    isKnown: (request) => hasScope(service, redeemScope(request.actionType)) && isWithin(boundOfService(service), request.tenant),
    action: { actionType, actionPayload, operation, tenant },
    policy: input,
    usedBy: consumerName('service', service.name),
    usedKey: idempotencyKey ?? null,
    mayRepeat: idempotencyKey !== undefined,
  })
  notifyOfRejectedRequest(deps, { id: null, approvalId }, redeemed.redeemedAt)
  return redeemed
}

const redeemScope = (actionType: string): string => `approval.redeem:${actionType}`

/** @throws Invalid unless the policy is stated in exactly one way */
const requireStated = ({ digest, groups, permission, count }: StatedPolicy): void => {
  const ways = [digest, groups, permission ?? count].filter((way) => way !== undefined)
  if (ways.length === 1 && (permission === undefined) === (count === undefined)) return
  const missing = permission !== undefined && count === undefined ? 'count' : 'permission'
  throw new Invalid({ [missing]: 'must be given with permission and count, or digest or groups instead of both' })
}
