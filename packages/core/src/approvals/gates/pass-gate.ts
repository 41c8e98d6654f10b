import { type ConsumeDeps, consumeIn, consumerName } from '../consumption/consume-in.ts'
import type { GateName } from '../gate-options.ts'
import type { ApprovalStores } from '../stores.ts'
import { ConfirmationRequired, type RequiredAction } from './errors.ts'

/** The caller of a gated operation, and the approval that the caller presents. */
export interface Approver {
  /** The user whose approval counts; `undefined` for a caller who is not a user. */
  readonly userId: number | undefined
  readonly confirmationId: string | undefined
}

/** A gated call, while its transaction is open. */
export interface GatedCall<T extends string = string> {
  readonly approver: Approver
  /** Builds the action from what the call does. The approval must be of exactly this action. */
  readonly action: (actionType: T) => RequiredAction
}

/**
 * Consumes the approval of a gated call in the transaction of the change. If the host does not gate the operation, nothing
 * happens. An error rolls the change back, and leaves the approval unused.
 *
 * @throws ConfirmationRequired if the call has no approval
 * @throws ConfirmationNotFound, ConfirmationNotApproved, ActionMismatch, ConfirmationConsumed, ConfirmationTooOld
 */
export type PassGate = <G extends GateName>(
  tx: Pick<ApprovalStores, 'confirmations'>,
  gate: G,
  call: GatedCall<NonNullable<ConsumeDeps['options']['gates'][G]>['actionType']>,
) => Promise<void>

/** Makes the function that guards the operations in the option `gates`. */
export const gatekeeper =
  (deps: ConsumeDeps): PassGate =>
  async (tx, gate, { approver, action }) => {
    const required = deps.options.gates[gate]
    if (required === undefined) return
    const { actionType, actionPayload } = action(required.actionType)
    const { userId, confirmationId } = approver
    if (userId === undefined || confirmationId === undefined) throw new ConfirmationRequired({ actionType, actionPayload }, gate)
    const consumedBy = consumerName('gate', gate)
    await consumeIn(deps, tx, {
      confirmationId,
      userId,
      actionType,
      actionPayload,
      operation: gate,
      consumedBy,
      consumedKey: null,
    })
  }
