import type { Output } from '@countersign/contract'
import { type Device, toIsoTimestamp, type WithTrust } from '@countersign/core'
import { serializeTrust } from './trust.ts'

/** Omits the key and the push token. Inactive devices never reach this function. */
export const serializeDevice = (device: WithTrust<Device>): Output<'devices.list'>['devices'][number] => ({
  id: device.id,
  deviceName: device.deviceName,
  deviceType: device.deviceType,
  deviceFingerprint: device.deviceFingerprint,
  isActive: true,
  lastUsedAt: device.lastUsedAt === null ? null : toIsoTimestamp(device.lastUsedAt),
  createdAt: toIsoTimestamp(device.createdAt),
  updatedAt: toIsoTimestamp(device.updatedAt),
  ...serializeTrust(device),
})
