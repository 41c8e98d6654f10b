import type { IdentityDeps } from '../deps.ts'
import { changeUser } from './change-user.ts'
import { toProfile, type UserProfile } from './user.ts'

/** Enables a disabled user. Ended sessions stay ended. @throws UserNotFound */
export const enableUser = async (
  deps: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: { readonly email: string },
): Promise<UserProfile> => toProfile(await changeUser(deps, input.email, () => ({ disabledAt: null })))
