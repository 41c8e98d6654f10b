import type { CountersignIdentity } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import { serializeRegistrationChallenge } from '../serializers/challenge.ts'
import { serializeDevice } from '../serializers/device.ts'

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
