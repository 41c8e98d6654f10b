import type { ActionInput, ActionTypeName, Output } from '@countersign/contract'
import { notApproved } from '../approvals/obtain-approval.ts'
import type { CheckedReceipt } from '../receipt/verdict.ts'
import { type VerifyReceiptOptions, verifyReceipt } from '../receipt/verify-receipt.ts'
import { canonicalJson } from '../shared/encoding/canonical-json.ts'
import { CountersignError } from '../shared/errors/countersign-error.ts'
import { DECISION_TIMEOUT, requireOpen, within } from '../shared/time/deadline.ts'
import type { Milliseconds } from '../shared/time/units.ts'
import type { ServiceClient } from './service-client.ts'

/** The options of `requireApproval`. */
export interface RequireApprovalOptions {
  /** Runs when the user was asked. Show `matchNumber` to the person if it is there. */
  readonly onRequested?: (requested: Output<'services.initiate'>) => void | Promise<void>
  /** Ends the wait and withdraws the confirmation, so the phone stops asking. The promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** The time after which the wait fails with `TIMEOUT`; by default as in `WaitOptions`. */
  readonly timeout?: Milliseconds
  /** Names this one use of the approval, so that a call repeated after a lost answer uses it once; a random text by default. */
  readonly idempotencyKey?: string
  /** Verifies the receipt with these keys. Without keys, the receipt is returned unverified. */
  readonly receipts?: VerifyReceiptOptions
}

/** An approval that was used for exactly the required action. */
export interface UsedApproval extends Output<'services.redeem'> {
  /** The verified receipt; `undefined` without `receipts`. */
  readonly verified: CheckedReceipt | undefined
}

const refusedReceipt = (reason: string): CountersignError =>
  new CountersignError(`The receipt is refused: ${reason}`, { code: 'RECEIPT_REFUSED' })

type Action<T extends ActionTypeName = ActionTypeName> = ActionInput<'services.initiate', T>

/** Verifies the receipt, and that it is of this action of this user. @throws CountersignError `RECEIPT_REFUSED` */
const verified = async (
  { receipt, confirmationId }: Output<'services.redeem'>,
  { userId, actionType, actionPayload, operation = null, tenant = null }: Action,
  options: VerifyReceiptOptions,
): Promise<CheckedReceipt> => {
  const verdict = await verifyReceipt(receipt, options)
  if (verdict.verdict === 'refused') throw refusedReceipt(verdict.reason)
  if (verdict.verdict !== 'genuine') throw refusedReceipt('it does not disclose everything')
  const { statement, confirmation } = verdict
  const isOurs = statement?.subject.id === userId && confirmation.id === confirmationId
  const isSame = statement?.actionType === actionType && statement.operation === operation && statement.tenant === tenant
  if (!isOurs || !isSame || canonicalJson(statement.actionPayload) !== canonicalJson(actionPayload)) {
    throw refusedReceipt('it is of another action')
  }
  return verdict
}

/**
 * Asks a user to approve an action on a device, waits, and uses the approval once for exactly this action. Carry the action out
 * only after this promise resolves, and take every value from the same object. `client` has a token with the scopes
 * `confirmation.initiate:TYPE`, `confirmation.read:TYPE` and `confirmation.redeem:TYPE`.
 * @throws CountersignError `CONFIRMATION_REJECTED`, `CONFIRMATION_EXPIRED`, `TIMEOUT`, `RECEIPT_REFUSED`, and the errors of the
 * service
 */
export const requireApproval = async <T extends ActionTypeName>(
  client: ServiceClient,
  action: Action<T>,
  options: RequireApprovalOptions = {},
): Promise<UsedApproval> => {
  const { onRequested, signal, timeout = DECISION_TIMEOUT, receipts, idempotencyKey = crypto.randomUUID() } = options
  // A copy: a change of the caller's object during the wait must not change the action.
  const exact = JSON.parse(JSON.stringify(action)) as Action<T>
  return within(timeout, signal, async (stop) => {
    const requested = await client.initiate(exact)
    const { confirmationId } = requested
    // Withdraws the confirmation also after a time-out, because this function alone could use the approval.
    const withdraw = () => void client.withdraw({ confirmationId }).catch(() => {})
    if (stop.aborted) withdraw()
    requireOpen(stop)
    stop.addEventListener('abort', withdraw)
    await onRequested?.(requested)
    const { status } = await client.settled(confirmationId, { signal: stop, timeout: Infinity })
    stop.removeEventListener('abort', withdraw)
    if (status !== 'approved') throw notApproved(status)
    // Nothing is used after the caller has given up.
    requireOpen(stop)
    const { userId, actionType, actionPayload, operation, tenant } = exact
    const use = { confirmationId, userId, actionType, actionPayload, operation, tenant, idempotencyKey }
    const redeemed = await client.redeem(use)
    if (redeemed.confirmationId !== confirmationId) throw refusedReceipt('it is of another confirmation')
    return { ...redeemed, verified: receipts && (await verified(redeemed, exact, receipts)) }
  })
}
