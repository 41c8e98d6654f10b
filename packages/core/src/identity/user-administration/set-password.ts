import type { IdentityDeps } from '../deps.ts'
import { checkedPassword } from '../passwords/new-password.ts'
import { notifyOfChange } from '../push/notify-of-change.ts'
import { toProfile, type UserProfile } from '../records/user.ts'
import { notifyOfUndone, undoEndedSessions } from '../sessions/undo-ended-sessions.ts'
import { changeUser } from './change-user.ts'

/**
 * Sets the password of a user, for admins. Ends every session, voids the one-time codes, removes every device and passkey on
 * probation, and notifies the user's devices. @throws Invalid, UserNotFound
 * @example await countersign.users.setPassword({ email: 'ada@example.com', password })
 */
export async function setPassword(
  deps: IdentityDeps,
  input: { readonly email: string; readonly password: string },
): Promise<UserProfile> {
  const { user, answer: undone } = await changeUser(
    deps,
    input.email,
    async (user) => ({ passwordHash: await deps.passwords.hash(await checkedPassword(deps, input.password, user)) }),
    async (tx, { id }) => {
      const now = deps.clock.now()
      await tx.sessions.endAll({ userId: id }, 'password_changed', now)
      await tx.oneTimeCodes.voidAllOfUser(id)
      return undoEndedSessions(deps, tx, id, now)
    },
  )
  notifyOfChange(deps, { userId: user.id, change: 'password_changed' })
  notifyOfUndone(deps, user.id, undone)
  return toProfile(user)
}
