import type { Instant } from '../../shared/clock.ts'
import { ConfirmationUsed } from '../confirmations/errors.ts'
import { notifyOfSettled, type SettledDeps } from '../confirmations/notify-devices.ts'
import { requirePending } from '../confirmations/require-pending.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { Confirmation, Withdrawal } from '../records/confirmation.ts'

/** A confirmation that was withdrawn. Its status is `expired`. */
export interface WithdrawnConfirmation {
  readonly id: string
  readonly withdrawnAt: Instant
}

/**
 * Withdraws a confirmation, and counts the withdrawal. The use case passes the statement, which may run in a transaction.
 *
 * @throws ConfirmationExpired, ConfirmationUsed if somebody has decided meanwhile
 */
export const settleWithdrawal = async (
  deps: SettledDeps & Pick<ApprovalDeps, 'observer'>,
  confirmation: Confirmation,
  now: Instant,
  statement: (withdrawal: Withdrawal) => Promise<boolean>,
): Promise<WithdrawnConfirmation> => {
  const { id, userId, initiatedBy, actionType } = confirmation
  if (!(await statement({ id, userId, initiatedBy, now }))) {
    await requirePending(deps, { userId }, id, now)
    throw new ConfirmationUsed()
  }
  deps.observer.confirmation({ actionType, outcome: 'withdrawn' })
  notifyOfSettled(deps, [confirmation])
  return { id, withdrawnAt: now }
}
