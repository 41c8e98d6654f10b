import type { Device } from '../../../identity/devices/device.ts'
import type { DeviceStore } from '../../../identity/devices/store.ts'
import type { Instant } from '../../../shared/clock.ts'
import { type DeviceRow, insert, pageOf, type Run, replaceWhere, type Tables } from '../tables.ts'
import { noteTrust } from './cooling-off.ts'
import { isLiveSession } from './sessions.ts'

const MOST_WITH_FINGERPRINT = 100

const activeOf = ({ devices }: Tables, userId: number): Device[] =>
  [...devices.values()].filter((row) => row.removedAt === null && row.device.userId === userId).map((row) => row.device)

/** Replaces the user's active device. Returns whether the user has that device. */
export const changeActive = (
  { devices }: Tables,
  userId: number,
  deviceId: string,
  change: (row: DeviceRow) => DeviceRow,
): boolean =>
  replaceWhere(devices, deviceId, (row) => row.removedAt === null && row.device.userId === userId, change) !== undefined

export const usedAt =
  (now: Instant) =>
  (row: DeviceRow): DeviceRow => ({ ...row, device: { ...row.device, lastUsedAt: now } })

export const withoutPushToken = ({ device, ...row }: DeviceRow, now: Instant): DeviceRow => ({
  ...row,
  device: { ...device, pushToken: null, updatedAt: now },
  pushTokenDigest: null,
})

const hasFingerprint = (fingerprint: string) => (device: Device) => device.deviceFingerprint === fingerprint

const byAge = (a: Device, b: Device): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)

/** Sorts by last use, latest first. Devices that were never used come last. */
const byLastUse = (a: Device, b: Device): number =>
  (b.lastUsedAt ?? Number.NEGATIVE_INFINITY) - (a.lastUsedAt ?? Number.NEGATIVE_INFINITY) || -byAge(a, b)

export const memoryDevices = (run: Run): DeviceStore => ({
  register: (device, sessionId, limit) =>
    run((tables) => {
      if (!isLiveSession(tables, sessionId, device.userId)) return 'session_ended'
      const active = activeOf(tables, device.userId)
      if (active.some(hasFingerprint(device.deviceFingerprint))) return 'fingerprint_taken'
      if (active.length >= limit) return 'too_many'
      insert(tables.devices, device.id, { device, pushTokenDigest: null, removedAt: null })
      tables.registeredBy.set(device.id, sessionId)
      noteTrust(tables, device.id, device, device.createdAt)
      return 'registered'
    }),
  ofUser: (userId, deviceId) => run((tables) => activeOf(tables, userId).find(({ id }) => id === deviceId)),
  byId: (deviceId) =>
    run(({ devices }) => {
      const row = devices.get(deviceId)
      return row?.removedAt === null ? row.device : undefined
    }),
  allOfUser: (userId) => run((tables) => activeOf(tables, userId).sort(byAge)),
  keysOf: (userIds) =>
    run((tables) => userIds.flatMap((each) => activeOf(tables, each)).map(({ userId, publicKey }) => ({ userId, publicKey }))),
  removedOfUser: (userId) =>
    run(({ devices }) =>
      [...devices.values()]
        .filter(({ device, removedAt }) => removedAt !== null && device.userId === userId)
        .map(({ device, removedAt }) => ({ ...device, removedAt }))
        .sort(byAge),
    ),
  page: ({ removed, deviceType, ...page }) =>
    run(({ devices }) => {
      const listed = [...devices.values()].filter(
        (row) => (row.removedAt !== null) === removed && (deviceType === undefined || row.device.deviceType === deviceType),
      )
      return pageOf(
        listed.map(({ device, removedAt }) => ({ ...device, removedAt })),
        page,
      )
    }),
  registrationState: (userId, fingerprint) =>
    run((tables) => {
      const active = activeOf(tables, userId)
      return { fingerprintTaken: active.some(hasFingerprint(fingerprint)), devices: active.length }
    }),
  eraseAllOfUser: (userId, now) =>
    run(({ devices }) => {
      const own = [...devices.values()].filter(({ device }) => device.userId === userId)
      for (const { device, removedAt } of own) {
        const blank = { deviceName: '', deviceFingerprint: '', pushToken: null }
        devices.set(device.id, { device: { ...device, ...blank }, pushTokenDigest: null, removedAt: removedAt ?? now })
      }
      return own.filter(({ removedAt }) => removedAt === null).length
    }),
  withFingerprint: (fingerprint) =>
    run(({ devices }) =>
      [...devices.values()]
        .filter((row) => row.removedAt === null)
        .map((row) => row.device)
        .filter(hasFingerprint(fingerprint))
        .sort(byLastUse)
        .slice(0, MOST_WITH_FINGERPRINT),
    ),
  use: (userId, deviceId, now) => run((tables) => changeActive(tables, userId, deviceId, usedAt(now))),
  lock: (userId, deviceId) => run((tables) => activeOf(tables, userId).find(({ id }) => id === deviceId)),
  setPushToken: (userId, deviceId, pushToken, now) =>
    run((tables) =>
      changeActive(tables, userId, deviceId, (row) => ({
        ...row,
        device: { ...row.device, pushToken: pushToken?.sealed ?? null, updatedAt: now },
        pushTokenDigest: pushToken?.digest ?? null,
      })),
    ),
  takePushToken: (digest, deviceId, now) =>
    run(({ devices }) => {
      const losers = [...devices.values()].filter(
        ({ device, pushTokenDigest, removedAt }) => pushTokenDigest === digest && device.id !== deviceId && removedAt === null,
      )
      for (const row of losers) devices.set(row.device.id, withoutPushToken(row, now))
      return losers.map(({ device }) => device.userId)
    }),
  forgetPushToken: (deviceId, pushToken, now) =>
    run(
      ({ devices }) =>
        replaceWhere(
          devices,
          deviceId,
          ({ device }) => device.pushToken === pushToken,
          (row) => withoutPushToken(row, now),
        ) !== undefined,
    ),
  remove: (userId, deviceId, now) =>
    run((tables) => changeActive(tables, userId, deviceId, (row) => ({ ...withoutPushToken(row, now), removedAt: now }))),
})
