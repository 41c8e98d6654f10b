import type { Registrations, TrustStore } from '../../../identity/trust/store.ts'
import { isTrusted } from '../../../identity/trust/trust.ts'
import { type Run, replaceWhere, type Tables } from '../tables.ts'
import { cancelCoolingOff, isCoolingOff } from './cooling-off.ts'
import { withoutPushToken } from './devices.ts'
import { openerTrust } from './opener-trust.ts'
import { keyOf } from './passkeys.ts'
import { isEndedByOthers, isLiveSession } from './sessions.ts'

const devicesOf = ({ devices }: Tables, userId: number) => [...devices.values()].filter(({ device }) => device.userId === userId)

const passkeysOf = ({ passkeys }: Tables, userId: number) => [...passkeys.values()].filter((passkey) => passkey.userId === userId)

/** Returns whether a removal of these registrations includes the device or passkey of this key. */
const isIncluded = (tables: Tables, registrations: Registrations | undefined, key: string): boolean =>
  registrations === undefined || isEndedByOthers(tables, tables.registeredBy.get(key))

export const memoryTrust = (run: Run): TrustStore => ({
  enrolmentFacts: ({ userId, sessionId, rememberedSince, now }) =>
    run((tables) => {
      const session = tables.sessions.get(sessionId)
      if (session === undefined || !isLiveSession(tables, sessionId, userId)) return undefined
      const { authMethod, userVerified, createdAt } = session
      const devices = devicesOf(tables, userId)
      const active = devices.filter(({ removedAt }) => removedAt === null).map(({ device }) => device)
      const removedLately = devices.some(
        ({ device, removedAt }) => removedAt !== null && removedAt >= rememberedSince && isTrusted(device, removedAt),
      )
      return {
        session: { authMethod, userVerified, createdAt, trustedAt: openerTrust(tables, session) },
        hasTrustedDevice: removedLately || active.some((device) => isTrusted(device, now)),
        hasCoolingOff:
          active.some((device) => isCoolingOff(tables, device.id, device, now)) ||
          passkeysOf(tables, userId).some((passkey) => isCoolingOff(tables, keyOf(passkey), passkey, now)),
      }
    }),
  lock: () => run(() => {}),
  trustDevice: (userId, deviceId, now) =>
    run((tables) => {
      const trusted = replaceWhere(
        tables.devices,
        deviceId,
        ({ device, removedAt }) => device.userId === userId && removedAt === null && !isTrusted(device, now),
        (row) => ({ ...row, device: { ...row.device, trustedAt: now } }),
      )
      if (trusted === undefined) return false
      tables.coolingOff.delete(deviceId)
      cancelCoolingOff(tables, userId, now)
      return true
    }),
  trustPasskey: (userId, id, now) =>
    run((tables) => {
      const key = keyOf({ userId, id })
      const trusted = replaceWhere(
        tables.passkeys,
        key,
        (passkey) => !isTrusted(passkey, now),
        (passkey) => ({ ...passkey, trustedAt: now }),
      )
      if (trusted === undefined) return false
      tables.coolingOff.delete(key)
      cancelCoolingOff(tables, userId, now)
      return true
    }),
  removeOnProbation: (userId, now, registrations) =>
    run((tables) => {
      const devices = devicesOf(tables, userId)
        .filter(({ device, removedAt }) => removedAt === null && !isTrusted(device, now))
        .filter(({ device }) => isIncluded(tables, registrations, device.id))
      const passkeys = passkeysOf(tables, userId)
        .filter((passkey) => !isTrusted(passkey, now))
        .filter((passkey) => isIncluded(tables, registrations, keyOf(passkey)))
      for (const row of devices) {
        tables.devices.set(row.device.id, { ...withoutPushToken(row, now), removedAt: now })
        tables.coolingOff.delete(row.device.id)
      }
      for (const passkey of passkeys) {
        tables.passkeys.delete(keyOf(passkey))
        tables.coolingOff.delete(keyOf(passkey))
      }
      return { devices: devices.map(({ device }) => device.id), passkeys: passkeys.map(({ id }) => id) }
    }),
})
