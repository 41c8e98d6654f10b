import type { IdentityDeps } from '../deps.ts'
import { checkedPassword } from '../passwords/new-password.ts'
import { notifyOfChange } from '../push/notify-of-change.ts'
import { toProfile, type User, type UserProfile } from '../records/user.ts'
import { endForNewPassword, notifyOfUndone } from '../sessions/undo-ended-sessions.ts'
import type { ByEmail } from '../user-model/require-user.ts'
import { changeUser } from './change-user.ts'

/**
 * Sets the password of a user, for admins. Ends every session, voids the one-time codes, removes every device and passkey on
 * probation, and notifies the user's devices. @throws Invalid, UserNotFound
 * @example await countersign.users.setPassword({ email: 'ada@example.com', password })
 */
export async function setPassword(deps: IdentityDeps, input: ByEmail & { readonly password: string }): Promise<UserProfile> {
  const { passwords, clock } = deps
  const newHash = async (user: User) => ({
    passwordHash: await passwords.hash(await checkedPassword(deps, input.password, user)),
  })
  const { user, answer: undone } = await changeUser(deps, input.email, newHash, (tx, { id }) =>
    endForNewPassword(deps, tx, id, clock.now()),
  )
  notifyOfChange(deps, { userId: user.id, change: 'password_changed' })
  notifyOfUndone(deps, user.id, undone)
  return toProfile(user)
}
