import type { Instant } from '../../shared/clock.ts'
import type { Undone } from '../accounts/account-endings.ts'
import type { IdentityDeps } from '../deps.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import type { Registrations } from '../records/trust-store.ts'
import type { IdentityStores } from '../stores.ts'

/**
 * Undoes the work of sessions that somebody else ended, in the transaction that ended them: removes devices and passkeys on
 * probation, by default all of them, and rejects what the ended sessions asked for. A removed device or passkey loses its sessions,
 * so the work of these sessions is undone too.
 */
export const undoEndedSessions = async (
  { endings }: Pick<IdentityDeps, 'endings'>,
  tx: IdentityStores,
  userId: number,
  now: Instant,
  registrations?: Registrations,
): Promise<Undone> => {
  const removed = { devices: [] as string[], passkeys: [] as string[] }
  for (;;) {
    const { devices, passkeys } = await tx.trust.removeOnProbation(userId, now, registrations)
    for (const id of devices) await tx.sessions.endAllOfDevice(id, 'device_removed', now)
    for (const id of passkeys) await tx.sessions.endAllOfPasskey(userId, id, 'passkey_removed', now)
    removed.devices.push(...devices)
    removed.passkeys.push(...passkeys)
    if (devices.length + passkeys.length === 0) break
  }
  return { ...removed, settled: await endings.sessionsEnded(tx, userId, now) }
}

/** Notifies devices of what was removed, and of confirmations that wait no longer. Call this function after the transaction. */
export const notifyOfUndone = (
  deps: NotifyOfChangeDeps & Pick<IdentityDeps, 'endings'>,
  userId: number,
  { devices, passkeys, settled }: Undone,
): void => {
  deps.endings.announce(settled)
  if (devices.length > 0) notifyOfChange(deps, { userId, change: 'device_removed' })
  if (passkeys.length > 0) notifyOfChange(deps, { userId, change: 'passkey_removed' })
}
