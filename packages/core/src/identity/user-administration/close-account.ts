import type { Instant } from '../../shared/clock.ts'
import type { AccountEnder } from '../deps.ts'
import type { IdentityStores } from '../stores.ts'
import type { Undone } from '../user-model/account-endings.ts'

/**
 * Ends everything that an account has open, in the transaction that locks or disables the account: sessions, one-time codes,
 * pending confirmations, approval requests, unused approvals, and the devices and passkeys on probation. The caller has locked the
 * row of the user, so no session is opened, and nothing is approved or issued, until the commit.
 */
export const closeAccount = async (
  { endings }: AccountEnder,
  tx: IdentityStores,
  userId: number,
  reason: 'account_locked' | 'user_disabled',
  now: Instant,
): Promise<Undone> => {
  await tx.sessions.endAll({ userId }, reason, now)
  await tx.oneTimeCodes.voidAllOfUser(userId)
  const settled = await endings.accountClosed(tx, userId, now)
  return { ...(await tx.trust.removeOnProbation(userId, now)), settled }
}
