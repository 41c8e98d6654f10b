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
 *
 * With a `client`, the statements run in the host's own transaction: the business write and the use are committed or rolled back
 * together. A second use is always refused.
 *
 * Without a `client`, the use is durable when the promise resolves. A repeated call with the same `consumedBy` changes nothing and
 * gets the same answer, so that a host can continue after a crash.
 *
 * @throws ApprovalNotFound, ApprovalNotApproved, ActionMismatch, OtherPolicy, PolicyChanged, ApprovalRedeemed, ApprovalExpired
 * @throws Invalid naming each wrong member
 * @throws TypeError for a `client` on another database than PostgreSQL, and for a client outside of a transaction
 *
 * @example
 * ```ts
 * await countersign.approvalRequests.consume(
 *   { requestId, actionType, actionPayload, policy: { permission: 'payment.approve', count: 2 }, consumedBy: payment.id },
 *   { client },
 * )
 * ```
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
