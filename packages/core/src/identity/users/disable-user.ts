import type { IdentityDeps } from '../deps.ts'
import { changeUser } from './change-user.ts'
import { toProfile, type UserProfile } from './user.ts'

/** Disables a user immediately: no login works, and every session ends. @throws UserNotFound */
export const disableUser = async (
  deps: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: { readonly email: string },
): Promise<UserProfile> => {
  const now = deps.clock.now()
  const user = await changeUser(
    deps,
    input.email,
    (current) => ({ disabledAt: current.disabledAt ?? now }),
    (tx, { id }) => tx.sessions.endAllOfUser(id, 'user_disabled', now),
  )
  return toProfile(user)
}
