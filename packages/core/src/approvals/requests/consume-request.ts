import type { ActionTypeName } from '@countersign/contract'
import { storableText } from '../../shared/input-schemas.ts'
import type { ConsumeApproval } from '../consumption/consume.ts'
import { hostUseShape } from '../consumption/consume-for-host.ts'
import { consumerName } from '../consumption/consume-in.ts'
import { type ConsumeWithin, clientOf, inHostTransaction } from '../consumption/host-transaction.ts'
import { type ConsumedApprovals, type NamedPolicy, namedPolicy } from './named-policy.ts'
import { type UseRequestDeps, useRequest } from './use-request.ts'

/** The use of an approval request by the host. */
export interface ConsumeRequest<T extends ActionTypeName = ActionTypeName>
  extends Omit<ConsumeApproval<T>, 'confirmationId' | 'userId' | 'maxAge'> {
  readonly requestId: string
  /** The policy that the approvals must have satisfied. */
  readonly policy: NamedPolicy
}

export const consumeRequestShape = { ...hostUseShape, requestId: storableText, policy: namedPolicy }

/**
 * Uses the approvals of a request for an action that the host carries out itself: as many as the policy needs, once, or none.
 * With and without a `client`, the call behaves as `confirmations.consume` does.
 * @throws ApprovalNotFound, ApprovalNotApproved, ActionMismatch, OtherPolicy, PolicyChanged, ApprovalRedeemed, ApprovalExpired
 * @throws Invalid naming each wrong member
 * @throws OtherIsolationLevel for a `client` in a transaction that is not READ COMMITTED
 * @throws TypeError for a `client` on another database than PostgreSQL, and for a client outside of a transaction
 * @example
 * const policy = { permission: 'payment.approve', count: 2 } as const
 * const use = { requestId, actionType, actionPayload, policy, consumedBy: payment.id }
 * await countersign.approvalRequests.consume(use, { client })
 */
export async function consumeRequest(
  deps: UseRequestDeps,
  { client, requestId, policy, consumedBy, ...action }: ConsumeRequest & ConsumeWithin,
): Promise<ConsumedApprovals> {
  const hostClient = clientOf({ client })
  const { receipts, redeemedAt } = await useRequest(inHostTransaction(deps, hostClient), {
    approvalId: requestId,
    isKnown: () => true,
    action,
    policy,
    usedBy: consumerName('host', consumedBy),
    usedKey: null,
    mayRepeat: hostClient === undefined,
  })
  return { receipts, consumedAt: redeemedAt }
}
