import type { ActionTypeName, PayloadOf } from '@countersign/contract'
import * as z from 'zod'
import type { Milliseconds } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { storableText } from '../../shared/input-schemas.ts'
import { type ConsumedApproval, consumeForHost, type HostConsumeDeps, hostUseShape } from './consume-for-host.ts'
import { type ConsumeDeps, consumerName } from './consume-in.ts'
import { type ConsumeWithin, clientOf, inHostTransaction } from './host-transaction.ts'

/** The use of an approval by the host. */
export interface ConsumeApproval<T extends ActionTypeName = ActionTypeName> {
  readonly confirmationId: string
  readonly userId: number
  /** The action that the host is about to carry out. It must be exactly the action that the user approved. */
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
  /** The longest time since the approval; `Options.approvalMaxAge` by default, and never more. */
  readonly maxAge?: Milliseconds | undefined
}

export const consumeShape = {
  ...hostUseShape,
  confirmationId: storableText,
  userId: z.int({ error: 'must be the id of a user' }),
  // The use case checks the range.
  maxAge: z.number({ error: 'must be whole milliseconds' }).optional(),
}

/**
 * Consumes an approval for an action that the host carries out itself. An approval is consumed once.
 *
 * With a `client`, the statements run in the host's own transaction: the business write and the consumption are committed or
 * rolled back together. A second consumption is always refused.
 *
 * Without a `client`, the consumption is durable when the promise resolves. A repeated call with the same `consumedBy` changes
 * nothing and gets the same answer, so that a host can continue after a crash.
 * @throws ConfirmationNotFound, ConfirmationNotApproved, ActionMismatch, ConfirmationConsumed, ConfirmationTooOld
 * @throws OtherIsolationLevel for a `client` in a transaction that is not READ COMMITTED
 * @throws TypeError for a `client` on another database than PostgreSQL, and for a client outside of a transaction
 * @example
 * const use = { confirmationId, userId, actionType, actionPayload, consumedBy: payment.id }
 * await countersign.confirmations.consume(use, { client })
 */
export async function consume(
  deps: HostConsumeDeps,
  { client, ...input }: ConsumeApproval & ConsumeWithin,
): Promise<ConsumedApproval> {
  requireMaxAge(deps, input)
  const use = { ...input, consumedBy: consumerName('host', input.consumedBy), consumedKey: null }
  const hostClient = clientOf({ client })
  return consumeForHost(inHostTransaction(deps, hostClient), use, hostClient === undefined)
}

const requireMaxAge = ({ options }: ConsumeDeps, { maxAge }: ConsumeApproval): void => {
  if (maxAge === undefined || (Number.isInteger(maxAge) && maxAge > 0 && maxAge <= options.approvalMaxAge)) return
  throw new Invalid({ maxAge: `must be whole milliseconds from 1 to ${options.approvalMaxAge}` })
}
