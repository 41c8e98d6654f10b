import type { Instant } from '../../shared/clock.ts'
import type { AccountEnder } from '../deps.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import type { Registrations } from '../records/trust-store.ts'
import type { IdentityStores } from '../stores.ts'
import type { Undone } from '../user-model/account-endings.ts'
import { type BoundCaller, holdSession } from './bound-of-caller.ts'

/**
 * Undoes the work of sessions that somebody else ended, in the same transaction: removes devices and passkeys on probation, by
 * default all of them, with their sessions, and rejects what the ended sessions asked for.
 */
export const undoEndedSessions = async (
  { endings }: AccountEnder,
  tx: IdentityStores,
  userId: number,
  now: Instant,
  registrations?: Registrations,
): Promise<Undone> => {
  const removed = { devices: [] as string[], passkeys: [] as string[] }
  for (;;) {
    const { devices, passkeys } = await tx.trust.removeOnProbation(userId, now, registrations)
    for (const id of devices) await tx.sessions.endAll({ userId, deviceId: id }, 'device_removed', now)
    for (const id of passkeys) await tx.sessions.endAll({ userId, passkeyId: id }, 'passkey_removed', now)
    removed.devices.push(...devices)
    removed.passkeys.push(...passkeys)
    if (devices.length + passkeys.length === 0) break
  }
  return { ...removed, settled: await endings.sessionsEnded(tx, userId, now) }
}

/** Ends every session of a user with a new password, voids the one-time codes, and undoes the work of the sessions. */
export const endForNewPassword = async (deps: AccountEnder, tx: IdentityStores, userId: number, now: Instant) => {
  await tx.sessions.endAll({ userId }, 'password_changed', now)
  await tx.oneTimeCodes.voidAllOfUser(userId)
  return undoEndedSessions(deps, tx, userId, now)
}

export type EndingDeps = NotifyOfChangeDeps & AccountEnder

/**
 * Ends sessions of a user, and undoes their work, in one transaction that locks the row of the user and the session of the caller.
 * Then notifies devices of the end, by `notify`, and of the undone work. Returns what `end` returns.
 * @throws InvalidAccessToken if the session of the caller has ended
 */
export const endAndUndo = async <R>(
  deps: EndingDeps,
  caller: BoundCaller,
  end: (tx: IdentityStores, now: Instant) => Promise<R>,
  notify: (ended: R) => void = () => {},
): Promise<R> => {
  const { userId } = caller
  const { ended, undone } = await deps.storage.transaction(async (tx) => {
    const now = deps.clock.now()
    await tx.trust.lock(userId)
    await holdSession(tx, caller)
    const ended = await end(tx, now)
    return { ended, undone: await undoEndedSessions(deps, tx, userId, now, 'of_ended_sessions') }
  })
  notify(ended)
  notifyOfUndone(deps, userId, undone)
  return ended
}

/** Notifies devices of what was removed, and of confirmations that wait no longer. Call this function after the transaction. */
export const notifyOfUndone = (deps: EndingDeps, userId: number, { devices, passkeys, settled }: Undone): void => {
  deps.endings.announce(settled)
  if (devices.length > 0) notifyOfChange(deps, { userId, change: 'device_removed' })
  if (passkeys.length > 0) notifyOfChange(deps, { userId, change: 'passkey_removed' })
}
