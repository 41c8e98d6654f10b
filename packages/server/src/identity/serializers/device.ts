import type { Output } from '@countersign/contract'
import { type Device, toIsoTimestamp, type WithTrust } from '@countersign/core'
import { isoTimestampOrNull } from '../../shared/iso-timestamp-or-null.ts'
import { serializeTrust } from './trust.ts'

/** Omits the key and the push token. Inactive devices never reach this function. */
export const serializeDevice = (device: WithTrust<Device>): Output<'devices.list'>['devices'][number] => ({
  id: device.id,
  deviceName: device.deviceName,
  deviceType: device.deviceType,
  deviceFingerprint: device.deviceFingerprint,
  isActive: true,
  lastUsedAt: isoTimestampOrNull(device.lastUsedAt),
  createdAt: toIsoTimestamp(device.createdAt),
  updatedAt: toIsoTimestamp(device.updatedAt),
  ...serializeTrust(device),
})
