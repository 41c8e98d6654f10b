import type { Instant } from '../../shared/clock.ts'
import { NothingToChange } from '../../shared/errors.ts'
import { type Caller, InsufficientTrustLevel, requireDevice } from '../authentication/caller.ts'
import { InvalidAccessToken } from '../authentication/errors.ts'
import type { LoggedChange } from '../base-deps.ts'
import type { AccountEnder, IdentityDeps } from '../deps.ts'
import { isTrusted } from '../records/trust.ts'
import { toProfile, type User, type UserChange, type UserProfile } from '../records/user.ts'
import { requireWithin } from '../sessions/bound-of-caller.ts'
import { type EndingDeps, notifyOfUndone } from '../sessions/undo-ended-sessions.ts'
import type { IdentityStores } from '../stores.ts'
import type { Undone } from '../user-model/account-endings.ts'
import { type ByEmail, requireUser } from '../user-model/require-user.ts'
import { changeUser } from './change-user.ts'

/**
 * Ends everything that an account has open, in the transaction that locks or disables it: sessions, one-time codes, confirmations,
 * approval requests, unused approvals, and what is on probation. The caller has locked the row of the user, so that nothing is
 * opened, approved or issued until the commit.
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

/**
 * Disables a user: no login works, and `closeAccount` applies. Enabling brings nothing back. The user's devices are notified.
 * @throws UserNotFound, NothingToChange
 * @example await countersign.users.disable({ email: 'ada@example.com' })
 */
export async function disableUser(deps: EndingDeps, input: ByEmail): Promise<UserProfile> {
  const now = deps.clock.now()
  const disable = ({ disabledAt }: User): UserChange => {
    if (disabledAt !== null) throw new NothingToChange('The user is disabled already')
    return { disabledAt: now }
  }
  const close = (tx: IdentityStores, { id }: User) => closeAccount(deps, tx, id, 'user_disabled', now)
  const { user, answer: undone } = await changeUser(deps, input.email, disable, close)
  notifyOfUndone(deps, user.id, undone)
  return toProfile(user)
}

/**
 * Enables a disabled user. Ended sessions stay ended. @throws UserNotFound, NothingToChange
 * @example await countersign.users.enable({ email: 'ada@example.com' })
 */
export async function enableUser(deps: LoggedChange, input: ByEmail): Promise<UserProfile> {
  const enable = ({ disabledAt }: User): UserChange => {
    if (disabledAt === null) throw new NothingToChange('The user is not disabled')
    return { disabledAt: null }
  }
  const { user } = await changeUser(deps, input.email, enable, async () => {})
  return toProfile(user)
}

/**
 * Locks the account of a user, for admins. @throws UserNotFound, NothingToChange if the account is locked already
 * @example await countersign.users.lock({ email: 'ada@example.com' })
 */
export async function lockUser(deps: EndingDeps, input: ByEmail): Promise<UserProfile> {
  const { storage, clock } = deps
  const { id } = await requireUser(deps, input.email)
  const removed = await storage.transaction((tx) => lockWithin(deps, tx, id, clock.now()))
  if (removed === undefined) throw new NothingToChange('The account is locked already')
  report(deps, id, 'admin', removed)
  return toProfile(await requireUser(deps, input.email))
}

/**
 * Unlocks an account, but undoes none of the effects of its lock. @throws UserNotFound, NothingToChange if it is not locked
 * @example await countersign.users.unlock({ email: 'ada@example.com' })
 */
export async function unlockUser(deps: LoggedChange, input: ByEmail): Promise<UserProfile> {
  const { storage, clock, logger } = deps
  const { id } = await requireUser(deps, input.email)
  const opened = await storage.users.setLock(id, null, clock.now())
  if (opened === undefined) throw new NothingToChange('The account is not locked')
  logger.warn('account_unlocked', { userId: id })
  return toProfile(opened)
}

/**
 * Locks the account of the caller, who logged in with a trusted device or, if passkeys approve, a trusted passkey that verified
 * the user. It must still be trusted, and the session live, when the lock is stored.
 * @throws InsufficientTrustLevel, InvalidAccessToken, and Forbidden for a session that is bound to tenants
 * @example await countersign.account.lock({ caller })
 */
export async function lockOwnAccount(deps: IdentityDeps, { caller }: { readonly caller: Caller }): Promise<void> {
  const { storage, clock } = deps
  const { userId, sessionId } = caller
  await requireWithin(deps, caller, null)
  const passkeyId = deps.options.passkeyApprovals ? (caller.passkeyId ?? undefined) : undefined
  const deviceId = passkeyId === undefined ? requireDevice(caller) : ''
  const removed = await storage.transaction(async (tx) => {
    const now = clock.now()
    await tx.trust.lock(userId)
    const holder = await (passkeyId === undefined ? tx.devices.lock(userId, deviceId) : tx.passkeys.lock(userId, passkeyId))
    if (holder === undefined || !(await tx.sessions.hold(sessionId, userId))) throw new InvalidAccessToken()
    if (!isTrusted(holder, now)) throw new InsufficientTrustLevel()
    return lockWithin(deps, tx, userId, now)
  })
  // Another lock came first, and has ended the session of the caller.
  if (removed === undefined) throw new InvalidAccessToken()
  report(deps, userId, 'user', removed)
}

/** Locks an account: no login of any kind works, and `closeAccount` applies. `undefined` if the account is locked already. */
const lockWithin = async (deps: EndingDeps, tx: IdentityStores, userId: number, now: Instant): Promise<Undone | undefined> =>
  (await tx.users.setLock(userId, now, now)) === undefined ? undefined : closeAccount(deps, tx, userId, 'account_locked', now)

const report = (deps: EndingDeps, userId: number, by: 'admin' | 'user', removed: Undone): void => {
  deps.logger.warn('account_locked', { userId, by })
  notifyOfUndone(deps, userId, removed)
}
