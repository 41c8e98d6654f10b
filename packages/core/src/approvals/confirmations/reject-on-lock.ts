import type { Instant } from '../../shared/clock.ts'
import type { ApprovalStores } from '../stores.ts'

/** Rejects every pending confirmation of a user, in the transaction that locks the account of the user. */
export const rejectOnLock = async (tx: ApprovalStores, userId: number, now: Instant): Promise<void> => {
  await tx.confirmations.rejectAllOfUser(userId, now)
}
