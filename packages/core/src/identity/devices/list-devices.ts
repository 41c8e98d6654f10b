import { requireUser } from '../accounts/require-user.ts'
import type { Caller } from '../authentication/caller.ts'
import type { IdentityDeps } from '../deps.ts'
import type { Device } from '../records/device.ts'
import { type WithTrust, withTrust } from '../trust/with-trust.ts'

/**
 * The devices of the user with this email, oldest first, for admins. @throws UserNotFound
 * @example const devices = await countersign.devices.listOfUser({ email: 'ada@example.com' })
 */
export async function listDevicesOfUser(
  deps: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: { readonly email: string },
): Promise<readonly WithTrust<Device>[]> {
  const user = await requireUser(deps, input.email)
  const caller = { userId: user.id }
  return listDevices(deps, { caller })
}

/**
 * The caller's devices, oldest first, each with whether it is trusted now. @throws Invalid
 * @example const devices = await countersign.devices.list({ caller })
 */
export async function listDevices(
  { storage, clock }: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: { readonly caller: Pick<Caller, 'userId'> },
): Promise<readonly WithTrust<Device>[]> {
  const all = await storage.devices.allOfUser(input.caller.userId)
  const now = clock.now()
  return all.map((one) => withTrust(one, now))
}
