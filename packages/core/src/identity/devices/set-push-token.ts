import type { Checked } from '@countersign/contract'
import type { Caller } from '../authentication/caller.ts'
import type { IdentityDeps } from '../deps.ts'
import { DeviceNotFound } from './errors.ts'
import { sealPushToken } from './push-token.ts'

/** Sets the push token of a device of the caller, encrypted. `null` removes the push token. @throws DeviceNotFound */
export const setPushToken = async (
  deps: Pick<IdentityDeps, 'storage' | 'clock' | 'random' | 'encryptionKeys'>,
  input: Checked<'devices.setPushToken'> & { readonly caller: Caller },
): Promise<void> => {
  const sealed = input.pushToken === null ? null : sealPushToken(deps, input.deviceId, input.pushToken)
  const found = await deps.storage.devices.setPushToken(input.caller.userId, input.deviceId, sealed, deps.clock.now())
  if (!found) throw new DeviceNotFound()
}
