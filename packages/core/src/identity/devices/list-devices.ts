import type { TimedStorage } from '../base-deps.ts'
import { reaches } from '../records/bound.ts'
import type { Device } from '../records/device.ts'
import { type BoundCaller, boundOfCaller } from '../sessions/bound-of-caller.ts'
import { type WithTrust, withTrust } from '../trust/with-trust.ts'
import { requireUser } from '../user-model/require-user.ts'

/**
 * The devices of the user with this email, oldest first, for admins. @throws UserNotFound
 * @example const devices = await countersign.devices.listOfUser({ email: 'ada@example.com' })
 */
export async function listDevicesOfUser(
  deps: TimedStorage,
  input: { readonly email: string },
): Promise<readonly WithTrust<Device>[]> {
  const user = await requireUser(deps, input.email)
  const caller = { userId: user.id }
  return listDevices(deps, { caller })
}

/**
 * The caller's devices, oldest first, each with whether it is trusted now; of a bound caller, those with the same bound. @throws
 * Invalid
 * @example const devices = await countersign.devices.list({ caller })
 */
export async function listDevices(
  { storage, clock }: TimedStorage,
  { caller }: { readonly caller: BoundCaller },
): Promise<readonly WithTrust<Device>[]> {
  const tenants = await boundOfCaller({ storage }, caller)
  const all = (await storage.devices.allOfUser(caller.userId)).filter((device) => reaches(tenants, device.tenants))
  const now = clock.now()
  return all.map((one) => withTrust(one, now))
}
