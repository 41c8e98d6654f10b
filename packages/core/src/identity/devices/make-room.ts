import type { Instant } from '../../shared/clock.ts'
import type { AccountEnder } from '../deps.ts'
import { isSameBound } from '../records/bound.ts'
import type { Device } from '../records/device.ts'
import { isTrusted } from '../records/trust.ts'
import type { IdentityStores } from '../stores.ts'
import type { Undone } from '../user-model/account-endings.ts'

/**
 * Removes the newest device on probation with this bound, if the user has `limit` devices with it. Returns the device, and the
 * confirmations that it settled. A trusted device calls for this, so that a thief who registers devices cannot keep the user from
 * enrolling one. The caller has locked the row of the user.
 */
export const makeRoomForTrusted = async (
  { endings }: AccountEnder,
  tx: IdentityStores,
  { userId, tenants, limit, now }: Pick<Device, 'userId' | 'tenants'> & { readonly limit: number; readonly now: Instant },
): Promise<(Pick<Undone, 'settled'> & { readonly device: Device }) | undefined> => {
  const devices = (await tx.devices.allOfUser(userId)).filter((device) => isSameBound(device.tenants, tenants))
  const newest = devices.findLast((device) => !isTrusted(device, now))
  if (devices.length < limit || newest === undefined) return undefined
  await tx.devices.remove(userId, newest.id, now)
  await tx.sessions.endAll({ userId, deviceId: newest.id }, 'device_removed', now)
  return { device: newest, settled: await endings.sessionsEnded(tx, userId, now) }
}
