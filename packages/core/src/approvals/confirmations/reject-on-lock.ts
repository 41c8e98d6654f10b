import type { Instant } from '../../shared/clock.ts'
import type { ApprovalStores } from '../stores.ts'

/**
 * Rejects every pending confirmation of a user, and voids every approval that nobody has consumed, in the transaction that locks
 * the account of the user.
 */
export const rejectOnLock = async (tx: ApprovalStores, userId: number, now: Instant): Promise<void> => {
  await tx.confirmations.rejectAllOfUser(userId, now)
  await tx.confirmations.voidAllOfUser(userId, now)
}
