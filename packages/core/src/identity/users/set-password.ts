import type { IdentityDeps } from '../deps.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import { changeUser } from './change-user.ts'
import { toProfile, type UserProfile } from './user.ts'
import { checkedPassword } from './user-input.ts'

/** Sets the password of a user, ends every session of the user and notifies the user's devices. @throws Invalid, UserNotFound */
export const setPassword = async (
  deps: NotifyOfChangeDeps & Pick<IdentityDeps, 'passwords'>,
  input: { readonly email: string; readonly password: string },
): Promise<UserProfile> => {
  const passwordHash = await deps.passwords.hash(checkedPassword(input.password))
  const user = await changeUser(
    deps,
    input.email,
    () => ({ passwordHash }),
    (tx, { id }) => tx.sessions.endAllOfUser(id, 'password_changed', deps.clock.now()),
  )
  notifyOfChange(deps, { userId: user.id, change: 'password_changed' })
  return toProfile(user)
}
