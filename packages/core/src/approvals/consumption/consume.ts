import * as z from 'zod'
import type { Instant } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import type { HostClient } from '../../shared/host-client.ts'
import { fromCheck, storableText } from '../../shared/input-schemas.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type ConsumeDeps, consumeIn, consumerName } from './consume-in.ts'
import { consumptionStores } from './host-transaction.ts'
import { consumeWithReceipt } from './receipt-of-use.ts'

/** The use of an approval by the host. */
export interface ConsumeApproval {
  readonly confirmationId: string
  readonly userId: number
  /** The action that the host is about to carry out. It must be exactly the action that the user approved. */
  readonly actionType: string
  readonly actionPayload: Readonly<Record<string, unknown>>
  /** The operation that the approval was asked for, such as `bank.pay`; absent for an approval that names none. */
  readonly operation?: string | undefined
  /** The scope in which the approval was asked for; absent for an approval without one. */
  readonly scope?: string | undefined
  /**
   * The one operation that uses the approval, such as `payment 4711`: text of 1 to 200 characters. Never the name of the host
   * alone, because a repeated call with the same text outside of a transaction of the host gets the same answer.
   */
  readonly consumedBy: string
  /** The longest time since the approval, in milliseconds; `Options.approvalMaxAge` by default, and never more. */
  readonly maxAge?: number | undefined
}

/** Where the consumption runs. */
export interface ConsumeWithin {
  /** The host's own PostgreSQL client, inside a transaction that the host began. */
  readonly client?: HostClient | undefined
}

/** The result of a consumption. */
export interface ConsumedApproval {
  /** The receipt of the approval; `null` if the host configured no receipts. */
  readonly receipt: string | null
  readonly consumedAt: Instant
}

const consumedByTakes = 'must be text of 1 to 200 characters that names the one operation'

/** The types of the members of `ConsumeApproval` and `ConsumeWithin`. */
export const consumeShape = {
  confirmationId: storableText,
  userId: z.int({ error: 'must be the id of a user' }),
  actionType: storableText,
  actionPayload: z.looseObject({}, { error: 'must be an object' }),
  operation: storableText.optional(),
  scope: storableText.optional(),
  consumedBy: storableText.min(1, { error: consumedByTakes }).max(200, { error: consumedByTakes }),
  // The use case checks the range.
  maxAge: z.number({ error: 'must be whole milliseconds' }).optional(),
  client: fromCheck((client) =>
    client === undefined || isHostClient(client) ? undefined : 'must be a client of PostgreSQL, such as fromPg(client)',
  ),
}

/**
 * Consumes an approval for an action that the host carries out itself. An approval is consumed once.
 *
 * With a `client`, the statements run in the host's own transaction: the business write and the consumption are committed or
 * rolled back together. A second consumption is always refused.
 *
 * Without a `client`, the consumption is durable when the promise resolves. A repeated call with the same `consumedBy` changes
 * nothing and gets the same answer, so that a host can continue after a crash.
 *
 * @throws ConfirmationNotFound, ConfirmationNotApproved, ActionMismatch, ConfirmationConsumed, ConfirmationTooOld
 * @throws TypeError for a `client` on another database than PostgreSQL, and for a client outside of a transaction
 *
 * @example
 * ```ts
 * await countersign.confirmations.consume(
 *   { confirmationId, userId, actionType, actionPayload, consumedBy: `payment ${payment.id}` },
 *   { client },
 * )
 * ```
 */
export async function consume(
  deps: ConsumeDeps & Pick<ApprovalDeps, 'storage' | 'users' | 'random' | 'issueReceipt'>,
  { client, ...input }: ConsumeApproval & ConsumeWithin,
): Promise<ConsumedApproval> {
  const { issueReceipt } = deps
  requireMaxAge(deps, input)
  const stores = await consumptionStores(deps, input.userId, client)
  const use = { ...input, consumedBy: consumerName('host', input.consumedBy), consumedKey: null }
  const mayRepeat = client === undefined
  if (issueReceipt === undefined) {
    const { consumedAt } = await consumeIn(deps, stores, use, { mayRepeat })
    return { receipt: null, consumedAt }
  }
  const { confirmation, receipt } = await consumeWithReceipt(deps, stores, use, issueReceipt, mayRepeat)
  return { receipt, consumedAt: confirmation.consumedAt }
}

const isHostClient = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'query' in value && typeof value.query === 'function'

const requireMaxAge = ({ options }: ConsumeDeps, { maxAge }: ConsumeApproval): void => {
  if (maxAge === undefined || (Number.isInteger(maxAge) && maxAge > 0 && maxAge <= options.approvalMaxAge)) return
  throw new Invalid({ maxAge: `must be whole milliseconds from 1 to ${options.approvalMaxAge}` })
}
