import type { CountersignIdentity, Device, WithTrust } from '@countersign/core'
import { acknowledged, type OperationHandlers } from '../../http/operation-handler.ts'

/** A challenge that a device signs. The contract calls its id `sessionId`. */
export const namedChallenge = <C extends { readonly id: string }>({ id, ...challenge }: C) => ({ ...challenge, sessionId: id })

/** Removed devices never reach this function. */
const activeDevice = (device: WithTrust<Device>) => ({ ...device, isActive: true })

export const deviceHandlers = ({ devices }: Pick<CountersignIdentity, 'devices'>) =>
  ({
    'devices.list': async ({ caller }) => ({ devices: (await devices.list({ caller })).map(activeDevice) }),
    'devices.remove': async ({ input, caller }) => acknowledged(devices.remove({ ...input, caller }), 'Device removed'),
    'devices.setPushToken': async ({ input, caller }) =>
      acknowledged(
        devices.setPushToken({ ...input, caller }),
        input.pushToken === null ? 'Push token removed' : 'Push token updated',
      ),
    'devices.beginRegistration': async ({ input, caller }) => {
      const challenge = await devices.beginRegistration({ ...input, caller })
      return { ...namedChallenge(challenge), deviceId: challenge.subject.deviceId }
    },
    'devices.finishRegistration': async ({ input, caller, client }) => {
      const registered = await devices.finishRegistration({ ...input, ...client, caller })
      return { success: true, deviceId: registered.id, device: activeDevice(registered), ...registered.vouching }
    },
  }) satisfies Partial<OperationHandlers>
