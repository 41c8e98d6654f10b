import type { AccountEndings, SettledConfirmation } from '../identity/user-model/account-endings.ts'
import type { Instant } from '../shared/clock.ts'
import { notifyOfSettled, type SettledDeps } from './confirmations/notify-devices.ts'
import type { ApprovalStores } from './stores.ts'

/**
 * Rejects every pending confirmation of a user and every open approval request that the user started, and voids every approval that
 * nobody has used. Returns the rejected confirmations, including the votes on those requests.
 */
export const rejectAll = async (tx: ApprovalStores, userId: number, now: Instant): Promise<readonly SettledConfirmation[]> => {
  const rejected = await tx.approvals.rejectAllOfUser(userId, now)
  await tx.approvals.voidAllOfUser(userId, now)
  return rejected
}

/** Implements the port of identity. The transactions of the storage have the stores of every part. */
export const approvalEndings = (deps: SettledDeps): AccountEndings => ({
  accountClosed: (tx, userId, now) => rejectAll(tx as typeof tx & ApprovalStores, userId, now),
  sessionsEnded: (tx, userId, now) => (tx as typeof tx & ApprovalStores).approvals.rejectAllOfUser(userId, now, 'orphaned'),
  announce: (settled) => notifyOfSettled(deps, settled),
})
