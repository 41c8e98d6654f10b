import type { Output } from '@countersign/contract'
import { type Device, toIsoTimestamp } from '@countersign/core'

/** Omits the key and the push token. Inactive devices never reach this function. */
export const serializeDevice = (device: Device): Output<'devices.list'>['devices'][number] => ({
  id: device.id,
  deviceName: device.deviceName,
  deviceType: device.deviceType,
  deviceFingerprint: device.deviceFingerprint,
  isActive: true,
  lastUsedAt: device.lastUsedAt === null ? null : toIsoTimestamp(device.lastUsedAt),
  createdAt: toIsoTimestamp(device.createdAt),
  updatedAt: toIsoTimestamp(device.updatedAt),
})
