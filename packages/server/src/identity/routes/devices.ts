import type { Output } from '@countersign/contract'
import { type CountersignIdentity, type Device, toIsoTimestamp, type WithTrust } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import { isoTimestampOrNull } from '../../shared/iso-timestamp-or-null.ts'
import { serializeRegistrationChallenge } from '../serializers/challenge.ts'
import { serializeTrust } from '../serializers/trust.ts'

/** Omits the key and the push token. Inactive devices never reach this function. */
const serializeDevice = (device: WithTrust<Device>): Output<'devices.list'>['devices'][number] => ({
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

export const deviceHandlers = ({ devices }: Pick<CountersignIdentity, 'devices'>) =>
  ({
    'devices.list': async ({ caller }) => ({ devices: (await devices.list({ caller })).map(serializeDevice) }),
    'devices.remove': async ({ input, caller }) => {
      await devices.remove({ ...input, caller })
      return { success: true, message: 'Device removed' }
    },
    'devices.setPushToken': async ({ input, caller }) => {
      await devices.setPushToken({ ...input, caller })
      return { success: true, message: input.pushToken === null ? 'Push token removed' : 'Push token updated' }
    },
    'devices.beginRegistration': async ({ input, caller }) =>
      serializeRegistrationChallenge(await devices.beginRegistration({ ...input, caller })),
    'devices.finishRegistration': async ({ input, caller, client }) => {
      const registered = await devices.finishRegistration({ ...input, ...client, caller })
      return { success: true, deviceId: registered.id, device: serializeDevice(registered), ...registered.vouching }
    },
  }) satisfies Partial<OperationHandlers>
