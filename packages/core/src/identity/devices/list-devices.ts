import type { Caller } from '../authentication/caller.ts'
import type { IdentityDeps } from '../deps.ts'
import type { Device } from './device.ts'

/** The caller's devices, oldest first. */
export const listDevices = async (
  { storage }: Pick<IdentityDeps, 'storage'>,
  input: { readonly caller: Pick<Caller, 'userId'> },
): Promise<readonly Device[]> => storage.devices.allOfUser(input.caller.userId)
