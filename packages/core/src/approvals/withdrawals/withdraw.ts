import type { Checked } from '@countersign/contract'
import { holdSession } from '../../identity/sessions/hold-session.ts'
import { Forbidden } from '../../shared/errors.ts'
import type { Requester } from '../confirmations/initiate.ts'
import type { SettledDeps } from '../confirmations/notify-devices.ts'
import { requirePending } from '../confirmations/require-pending.ts'
import type { ApprovalDeps } from '../deps.ts'
import { vouchingOf } from '../vouching/settle-vouching.ts'
import { settleWithdrawal, type WithdrawnConfirmation } from './settle-withdrawal.ts'

/**
 * Withdraws a confirmation that a session of the caller asked for, while nobody has decided. Any session of the user may withdraw:
 * every session may reject the confirmation too. Of decisions and withdrawals at the same time, exactly one succeeds.
 * @throws ConfirmationNotFound, ConfirmationExpired, ConfirmationUsed
 * @throws InvalidAccessToken if the session of the caller has ended
 * @throws Forbidden for a confirmation that no session of the user asked for: of a service, of an approval request, or a vouching
 * @example await countersign.confirmations.withdraw({ caller, confirmationId })
 */
export async function withdraw(
  deps: SettledDeps & Pick<ApprovalDeps, 'observer'>,
  { caller, confirmationId }: Checked<'confirmations.withdraw'> & { readonly caller: Requester },
): Promise<WithdrawnConfirmation> {
  const { storage, clock } = deps
  const now = clock.now()
  const confirmation = await requirePending(deps, caller, confirmationId, now)
  const { initiatedBy, approvalId } = confirmation
  if (initiatedBy !== null || approvalId !== null || (await vouchingOf(deps, confirmation)) !== undefined) throw new Forbidden()
  return settleWithdrawal(deps, confirmation, now, (withdrawal) =>
    storage.transaction(async (tx) => {
      await holdSession(tx, caller)
      return tx.confirmations.withdraw(withdrawal)
    }),
  )
}
