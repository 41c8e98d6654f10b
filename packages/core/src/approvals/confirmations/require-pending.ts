import type { Instant } from '../../shared/clock.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type Confirmation, statusAt } from './confirmation.ts'
import { ConfirmationExpired, ConfirmationNotFound, ConfirmationUsed } from './errors.ts'

/**
 * The user's confirmation where it can still be settled. Asked before settling, so that a refusal costs no signature
 * check, and after a lost race, to say what stands. @throws ConfirmationNotFound, ConfirmationExpired, ConfirmationUsed
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
