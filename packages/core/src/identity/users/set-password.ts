import type { IdentityDeps } from '../deps.ts'
import { changeUser } from './change-user.ts'
import { toProfile, type UserProfile } from './user.ts'
import { checkedPassword } from './user-input.ts'

/** Sets the password of a user, and ends every session of the user. @throws Invalid, UserNotFound */
export const setPassword = async (
  deps: Pick<IdentityDeps, 'storage' | 'clock' | 'passwords'>,
  input: { readonly email: string; readonly password: string },
): Promise<UserProfile> => {
  const passwordHash = await deps.passwords.hash(checkedPassword(input.password))
  const user = await changeUser(
    deps,
    input.email,
    () => ({ passwordHash }),
    (tx, { id }) => tx.sessions.endAllOfUser(id, 'password_changed', deps.clock.now()),
  )
  return toProfile(user)
}
