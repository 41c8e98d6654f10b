import type { Session } from '../../../identity/sessions/session.ts'
import type { Instant } from '../../../shared/clock.ts'
import type { Tables } from '../tables.ts'

/** Returns `trustedAt` of the device or passkey that opened the session; `null` without one, or where it was removed. */
export const openerTrust = (
  { devices, passkeys }: Tables,
  { userId, deviceId, passkeyId }: Pick<Session, 'userId' | 'deviceId' | 'passkeyId'>,
): Instant | null => {
  const row = deviceId === null ? undefined : devices.get(deviceId)
  if (row !== undefined && row.removedAt === null) return row.device.trustedAt
  return passkeyId === null ? null : (passkeys.get(`${userId} ${passkeyId}`)?.trustedAt ?? null)
}
