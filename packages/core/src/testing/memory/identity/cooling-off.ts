import { isTrusted, type Trust } from '../../../identity/trust/trust.ts'
import type { Instant } from '../../../shared/clock.ts'
import { replaceWhere, type Tables } from '../tables.ts'

/** Returns whether the cooling-off period of a device or passkey goes on at `now`. */
export const isCoolingOff = (tables: Tables, key: string, { trustedAt }: Trust, now: Instant): boolean =>
  tables.coolingOff.has(key) && trustedAt !== null && trustedAt > now

/** Cancels the cooling-off periods of the user. */
export const cancelCoolingOff = (tables: Tables, userId: number, now: Instant): void => {
  const { devices, passkeys, coolingOff } = tables
  for (const key of coolingOff.keys()) {
    const device = replaceWhere(
      devices,
      key,
      (row) => row.device.userId === userId && row.removedAt === null && isCoolingOff(tables, key, row.device, now),
      (row) => ({ ...row, device: { ...row.device, trustedAt: null } }),
    )
    const passkey = replaceWhere(
      passkeys,
      key,
      (row) => row.userId === userId && isCoolingOff(tables, key, row, now),
      (row) => ({ ...row, trustedAt: null }),
    )
    if (device !== undefined || passkey !== undefined) coolingOff.delete(key)
  }
}

/** Records the initial trust of a new device or passkey. */
export const noteTrust = (tables: Tables, key: string, added: Trust & { readonly userId: number }, now: Instant): void => {
  if (isTrusted(added, now)) cancelCoolingOff(tables, added.userId, now)
  else if (added.trustedAt !== null) tables.coolingOff.set(key, true)
}
