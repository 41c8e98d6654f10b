import type { ActionTypeName, PayloadOf } from '@countersign/contract'
import * as z from 'zod'
import type { Instant, Milliseconds } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { storableText } from '../../shared/input-schemas.ts'
import { type NamedPolicy, namedPolicy } from '../requests/named-policy.ts'
import { type ConsumeWithin, hostClient } from '../use/host-transaction.ts'
import type { ChosenConfirmation, UseDeps } from '../use/subject.ts'
import { type Consumer, use } from '../use/use.ts'

interface HostUse<T extends ActionTypeName> {
  /** The action that the host is about to carry out. It must be exactly the action that was approved. */
  readonly actionType: T
  readonly actionPayload: PayloadOf<T>
  /** The operation that the approval was asked for, such as `bank.pay`; absent for an approval that names none. */
  readonly operation?: string | undefined
  /** The tenant in which the approval was asked for; absent for an approval without one. */
  readonly tenant?: string | undefined
  /**
   * The one operation that uses the approval, such as `payment 4711`: text of 1 to 200 characters. Never the name of the host
   * alone, because a repeated call with the same text outside of a transaction of the host gets the same answer.
   */
  readonly consumedBy: string
}

/** The use of an approval by the host. */
export interface ConsumeApproval<T extends ActionTypeName = ActionTypeName> extends HostUse<T>, ChosenConfirmation {}

/** The use of an approval request by the host. */
export interface ConsumeRequest<T extends ActionTypeName = ActionTypeName> extends HostUse<T> {
  readonly requestId: string
  /** The policy that the approvals must have satisfied. */
  readonly policy: NamedPolicy
}

/** The result of a consumption. */
export interface ConsumedApproval {
  /** The receipt of the approval; `null` if the host configured no receipts. */
  readonly receipt: string | null
  readonly consumedAt: Instant
}

/** The result of the use of an approval request, and of a gate. */
export interface ConsumedApprovals {
  /** The receipt of each approval that was used, the earliest first. Empty if the host configured no receipts. */
  readonly receipts: readonly string[]
  readonly consumedAt: Instant
}

const consumedByTakes = 'must be text of 1 to 200 characters that names the one operation'
const hostUseShape = {
  actionType: storableText,
  actionPayload: z.looseObject({}, { error: 'must be an object' }),
  operation: storableText.optional(),
  tenant: storableText.optional(),
  consumedBy: storableText.min(1, { error: consumedByTakes }).max(200, { error: consumedByTakes }),
  client: hostClient,
}

export const consumeShape = {
  ...hostUseShape,
  confirmationId: storableText,
  userId: z.int({ error: 'must be the id of a user' }),
  // The use case checks the range.
  maxAge: z.number({ error: 'must be whole milliseconds' }).optional(),
}

export const consumeRequestShape = { ...hostUseShape, requestId: storableText, policy: namedPolicy }

const asHost = (name: string): Consumer => ({ kind: 'host', name, key: null })

/**
 * Consumes an approval for an action that the host carries out itself, once. With a `client`, in the host's own transaction: the
 * business write and the consumption are committed or rolled back together. Without one, a repeated call with the same `consumedBy`
 * gets the same answer, so that a host can continue after a crash.
 * @throws ConfirmationNotFound, ConfirmationNotApproved, ActionMismatch, ConfirmationConsumed, ConfirmationTooOld
 * @throws OtherIsolationLevel unless the client's transaction is READ COMMITTED, TypeError for a wrong `client`
 * @example
 * const use = { confirmationId, userId, actionType, actionPayload, consumedBy: payment.id }
 * await countersign.confirmations.consume(use, { client })
 */
export async function consume(
  deps: UseDeps,
  { client, consumedBy, confirmationId, userId, maxAge, ...action }: ConsumeApproval & ConsumeWithin,
): Promise<ConsumedApproval> {
  requireMaxAge(deps, maxAge)
  const subject = { confirmationId, userId, maxAge }
  const { receipts, usedAt } = await use(deps, { subject, action, consumer: asHost(consumedBy), client })
  return { receipt: receipts[0] ?? null, consumedAt: usedAt }
}

/**
 * Uses the approvals of a request for an action of the host: as many as the policy needs, once. See `confirmations.consume`.
 * @throws ApprovalNotFound, ApprovalNotApproved, ActionMismatch, OtherPolicy, PolicyChanged, ApprovalRedeemed, ApprovalExpired
 * @throws Invalid, OtherIsolationLevel unless the client's transaction is READ COMMITTED, TypeError for a wrong `client`
 * @example
 * const policy = { permission: 'payment.approve', count: 2 } as const
 * const use = { requestId, actionType, actionPayload, policy, consumedBy: payment.id }
 * await countersign.approvalRequests.consume(use, { client })
 */
export async function consumeRequest(
  deps: UseDeps,
  { client, requestId, policy, consumedBy, ...action }: ConsumeRequest & ConsumeWithin,
): Promise<ConsumedApprovals> {
  const subject = { requestId, isKnown: () => true }
  const { receipts, usedAt } = await use(deps, { subject, action, policy, consumer: asHost(consumedBy), client })
  return { receipts, consumedAt: usedAt }
}

const requireMaxAge = ({ options }: UseDeps, maxAge: Milliseconds | undefined): void => {
  if (maxAge === undefined || (Number.isInteger(maxAge) && maxAge > 0 && maxAge <= options.approvalMaxAge)) return
  throw new Invalid({ maxAge: `must be whole milliseconds from 1 to ${options.approvalMaxAge}` })
}
