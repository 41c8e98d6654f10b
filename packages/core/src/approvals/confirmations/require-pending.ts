import type { Instant } from '../../shared/clock.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type Confirmation, statusAt } from '../records/confirmation.ts'
import { ConfirmationExpired, ConfirmationNotFound, ConfirmationUsed } from './errors.ts'

/**
 * Returns the user's confirmation if it is pending. Use cases call this function before they settle a confirmation, to refuse
 * without a signature check. They call it again after a lost race, to throw the error of the current status.
 *
 * @throws ConfirmationNotFound, ConfirmationExpired, ConfirmationUsed
 */
export const requirePending = async (
  { storage }: Pick<ApprovalDeps, 'storage'>,
  userId: number,
  id: string,
  now: Instant,
): Promise<Confirmation> => {
  const confirmation = await storage.confirmations.ofUser(userId, id)
  if (confirmation === undefined) throw new ConfirmationNotFound()
  const status = statusAt(confirmation, now)
  if (status === 'expired') throw new ConfirmationExpired()
  if (status !== 'pending') throw new ConfirmationUsed()
  return confirmation
}
