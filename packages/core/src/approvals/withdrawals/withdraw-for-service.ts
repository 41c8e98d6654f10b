import type { Checked } from '@countersign/contract'
import type { CallingService } from '../../identity/authentication/calling-service.ts'
import { ConfirmationNotFound } from '../confirmations/errors.ts'
import type { SettledDeps } from '../confirmations/notify-devices.ts'
import { requirePending } from '../confirmations/require-pending.ts'
import type { ApprovalDeps } from '../deps.ts'
import { requireConfirmation } from '../services/confirmation-of-service.ts'
import { settleWithdrawal, type WithdrawnConfirmation } from './settle-withdrawal.ts'

/**
 * Withdraws a confirmation that the service asked for, while nobody has decided. Any other confirmation does not exist for this
 * function.
 * @throws MissingScope for a service without any scope `confirmation.initiate:TYPE`
 * @throws ConfirmationNotFound also without the scope for the type, and outside of the tenants of the service
 * @throws ConfirmationExpired, ConfirmationUsed
 * @example await countersign.services.withdraw({ service, confirmationId })
 */
export async function withdrawForService(
  deps: SettledDeps & Pick<ApprovalDeps, 'observer'>,
  { service, confirmationId }: Checked<'services.withdraw'> & { readonly service: CallingService },
): Promise<WithdrawnConfirmation> {
  const found = await requireConfirmation(deps, service, confirmationId, 'confirmation.initiate:')
  if (found.initiatedBy === null) throw new ConfirmationNotFound()
  const now = deps.clock.now()
  const confirmation = await requirePending(deps, found, confirmationId, now)
  return settleWithdrawal(deps, confirmation, now, (withdrawal) => deps.storage.confirmations.withdraw(withdrawal))
}
