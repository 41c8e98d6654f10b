import type { AccountEndings, SettledConfirmation } from '../identity/user-model/account-endings.ts'
import type { Instant } from '../shared/clock.ts'
import { notifyOfSettled, type SettledDeps } from './confirmations/notify-devices.ts'
import type { ApprovalStores } from './stores.ts'

/**
 * Rejects every pending confirmation of a user and every open approval request that the user started, and voids every approval that
 * nobody has consumed. Requests come before confirmations, in the order in which every other transaction locks them. Returns the
 * rejected confirmations, including the votes on those requests.
 */
export const rejectAll = async (tx: ApprovalStores, userId: number, now: Instant): Promise<readonly SettledConfirmation[]> => {
  const ofRequests = await tx.approvalRequests.rejectAllOfRequester(userId, now)
  const own = await tx.confirmations.rejectAllOfUser(userId, now)
  await tx.confirmations.voidAllOfUser(userId, now)
  return [...ofRequests, ...own]
}

/** Implements the port of identity. The transactions of the storage have the stores of every part. */
export const approvalEndings = (deps: SettledDeps): AccountEndings => ({
  accountClosed: (tx, userId, now) => rejectAll(tx as typeof tx & ApprovalStores, userId, now),
  sessionsEnded: async (identityTx, userId, now) => {
    const tx = identityTx as typeof identityTx & ApprovalStores
    const ofRequests = await tx.approvalRequests.rejectAllOfRequester(userId, now, 'of_ended_sessions')
    return [...ofRequests, ...(await tx.confirmations.rejectAllOfUser(userId, now, 'orphaned'))]
  },
  announce: (settled) => notifyOfSettled(deps, settled),
})
