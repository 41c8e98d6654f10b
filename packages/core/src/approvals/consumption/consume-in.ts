import { type Instant, type Milliseconds, timeBetween } from '../../shared/clock.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import { ConfirmationNotFound } from '../confirmations/errors.ts'
import { confirmationFields } from '../confirmations/sealed-fields.ts'
import { storedStatementOf } from '../confirmations/statement.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type Confirmation, statusAt } from '../records/confirmation.ts'
import type { ApprovalStores } from '../stores.ts'
import { ActionMismatch, ConfirmationConsumed, ConfirmationNotApproved, ConfirmationTooOld } from './errors.ts'
import { type ComparedAction, isSameAction } from './same-action.ts'

/** The kinds of consumers: a host by the core, a service over HTTP, and a gate of an operation. */
export type ConsumerKind = 'host' | 'service' | 'gate'

/**
 * Returns the text that the database stores for a consumer, such as `service:billing`. The kind comes first, so that no host can
 * choose the name of a service.
 */
export const consumerName = (kind: ConsumerKind, name: string): string => `${kind}:${name}`

export type ConsumeDeps = Pick<ApprovalDeps, 'clock' | 'options' | 'encryptionKeys' | 'observer'>

/** The use of an approval: which one, for which exact action, and by whom. */
export interface ApprovalUse extends ComparedAction {
  readonly confirmationId: string
  readonly userId: number
  /** The consumer, from `consumerName`. */
  readonly consumedBy: string
  /** The idempotency key of the consumption. */
  readonly consumedKey: string | null
  /** The longest time since the approval; `Options.approvalMaxAge` by default, and never more. */
  readonly maxAge?: Milliseconds | undefined
}

/** How an approval is consumed. */
export interface ConsumeSettings {
  /** Whether the same consumer may consume again with the same key, which then changes nothing. */
  readonly mayRepeat?: boolean
  /**
   * Runs before the consumption is stored, with the confirmation as it will be. Returns the receipt to store with it. An error
   * prevents the consumption.
   */
  readonly prepare?: (consumed: Confirmation & { readonly consumedAt: Instant }) => Promise<SealedField | null>
}

/** A confirmation whose approval was consumed. */
export type ConsumedConfirmation = Confirmation & { readonly consumedAt: Instant }

const isConsumed = (confirmation: Confirmation): confirmation is ConsumedConfirmation => confirmation.consumedAt !== null

const isSameUse = ({ consumedBy, consumedKey }: Confirmation, use: ApprovalUse): boolean =>
  consumedBy === use.consumedBy && consumedKey === use.consumedKey

const requireSameAction = (deps: ConsumeDeps, confirmation: Confirmation, use: ApprovalUse): void => {
  const { id, actionType, payload } = confirmation
  const { value: actionPayload } = confirmationFields.payload.open(deps, id, payload)
  const { operation, tenant } = storedStatementOf(deps, confirmation)
  if (!isSameAction({ actionType, actionPayload, operation, tenant }, use)) throw new ActionMismatch()
}

/** Returns the age up to which an approval counts. A longer `maxAge` than the option of the host has no effect. */
const longestAge = ({ options }: ConsumeDeps, { maxAge = options.approvalMaxAge }: ApprovalUse): Milliseconds =>
  Math.min(maxAge, options.approvalMaxAge)

/**
 * Returns the confirmation if its approval can be consumed, or if the same consumer consumed it and may repeat that.
 * @throws the errors of `consumeIn`
 */
const requireUsable = async (
  deps: ConsumeDeps,
  { confirmations }: Pick<ApprovalStores, 'confirmations'>,
  use: ApprovalUse,
  now: Instant,
  mayRepeat: boolean,
): Promise<Confirmation> => {
  const confirmation = await confirmations.ofUser(use.userId, use.confirmationId)
  if (confirmation === undefined) throw new ConfirmationNotFound()
  if (isConsumed(confirmation) && !(mayRepeat && isSameUse(confirmation, use))) throw new ConfirmationConsumed()
  const { approvalId, voidedAt, evidence, passkeyId } = confirmation
  if (statusAt(confirmation, now) !== 'approved' || approvalId !== null || voidedAt !== null) throw new ConfirmationNotApproved()
  if (passkeyId !== null && !deps.options.passkeyApprovals) throw new ConfirmationNotApproved()
  requireSameAction(deps, confirmation, use)
  if (isConsumed(confirmation)) return confirmation
  // Approvals from versions that stored no evidence have no time. They count as older than any limit.
  if (evidence === null || timeBetween(evidence.approvedAt, now) > longestAge(deps, use)) throw new ConfirmationTooOld()
  return confirmation
}

/**
 * Consumes an approval, once. The action is compared before the statement that decides; that is safe, because the payload never
 * changes. Runs in the transaction of `tx`, or without one. Returns the consumed confirmation.
 *
 * @throws ConfirmationNotFound if the user has no such confirmation
 * @throws ConfirmationNotApproved also for a voided approval, a vouching, the approval of a request, a disabled or locked user,
 *   a device or passkey that is no longer trusted, and a passkey while passkeys do not approve
 * @throws ActionMismatch, ConfirmationConsumed, ConfirmationTooOld
 */
export const consumeIn = async (
  deps: ConsumeDeps,
  tx: Pick<ApprovalStores, 'confirmations'>,
  use: ApprovalUse,
  { mayRepeat = false, prepare }: ConsumeSettings = {},
): Promise<ConsumedConfirmation> => {
  const { confirmationId: id, userId, consumedBy, consumedKey } = use
  const now = deps.clock.now()
  const found = await requireUsable(deps, tx, use, now, mayRepeat)
  if (isConsumed(found)) return found
  const consumed = { ...found, consumedAt: now, consumedBy, consumedKey }
  const receipt = (await prepare?.(consumed)) ?? null
  const consumption = { id, userId, consumedBy, consumedKey, receipt, approvedSince: now - longestAge(deps, use), now }
  if (await tx.confirmations.consume(consumption)) {
    deps.observer.confirmation({ actionType: found.actionType, outcome: 'consumed' })
    return { ...consumed, consumedReceipt: receipt }
  }
  const since = await requireUsable(deps, tx, use, now, mayRepeat)
  if (isConsumed(since)) return since
  throw new ConfirmationNotApproved()
}
