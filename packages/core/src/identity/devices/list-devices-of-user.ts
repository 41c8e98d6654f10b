import type { IdentityDeps } from '../deps.ts'
import { requireUser } from '../users/require-user.ts'
import type { Device } from './device.ts'

/** The devices of the user with this email, oldest first, for admins. @throws UserNotFound */
export const listDevicesOfUser = async (
  deps: Pick<IdentityDeps, 'storage'>,
  input: { readonly email: string },
): Promise<readonly Device[]> => deps.storage.devices.allOfUser((await requireUser(deps, input.email)).id)
