import type { IdentityDeps } from '../deps.ts'
import type { WithTrust } from '../trust/with-trust.ts'
import { requireUser } from '../users/require-user.ts'
import type { Device } from './device.ts'
import { listDevices } from './list-devices.ts'

/** The devices of the user with this email, oldest first, for admins. @throws UserNotFound */
export async function listDevicesOfUser(
  deps: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: { readonly email: string },
): Promise<readonly WithTrust<Device>[]> {
  const user = await requireUser(deps, input.email)
  const caller = { userId: user.id }
  return listDevices(deps, { caller })
}
