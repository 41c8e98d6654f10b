import type { Instant } from '../../shared/clock.ts'
import type { ApprovalStores } from '../stores.ts'

/**
 * Rejects every pending confirmation of a user and every open approval request that the user started, and voids every approval
 * that nobody has consumed, in the transaction that locks the account of the user. Requests come before confirmations, in the
 * order in which every other transaction locks them.
 */
export const rejectOnLock = async (tx: ApprovalStores, userId: number, now: Instant): Promise<void> => {
  await tx.approvalRequests.rejectAllOfRequester(userId, now)
  await tx.confirmations.rejectAllOfUser(userId, now)
  await tx.confirmations.voidAllOfUser(userId, now)
}
