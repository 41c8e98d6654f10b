import type { AccountEndings } from '../identity/user-model/account-endings.ts'
import { notifyOfSettled, type SettledDeps } from './confirmations/notify-devices.ts'
import type { ApprovalStores } from './stores.ts'

/** Implements the port of identity. The transactions of the storage have the stores of every part. */
export const approvalEndings = (deps: SettledDeps): AccountEndings => ({
  accountClosed: (tx, userId, now) => (tx as typeof tx & ApprovalStores).approvals.endAllOfUser(userId, now, 'account'),
  sessionsEnded: (tx, userId, now) => (tx as typeof tx & ApprovalStores).approvals.endAllOfUser(userId, now, 'sessions'),
  announce: (settled) => notifyOfSettled(deps, settled),
})
