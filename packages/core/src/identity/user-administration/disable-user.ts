import { NothingToChange } from '../../shared/errors.ts'
import type { AccountEnder } from '../deps.ts'
import type { NotifyOfChangeDeps } from '../push/notify-of-change.ts'
import { toProfile, type UserProfile } from '../records/user.ts'
import { notifyOfUndone } from '../sessions/undo-ended-sessions.ts'
import { changeUser } from './change-user.ts'
import { closeAccount } from './close-account.ts'

/**
 * Disables a user immediately: no login works, and `closeAccount` applies. Enabling the user brings nothing back. The user's
 * devices are notified of what was removed. @throws UserNotFound, NothingToChange
 * @example await countersign.users.disable({ email: 'ada@example.com' })
 */
export async function disableUser(
  deps: NotifyOfChangeDeps & AccountEnder,
  input: { readonly email: string },
): Promise<UserProfile> {
  const now = deps.clock.now()
  const { user, answer: undone } = await changeUser(
    deps,
    input.email,
    ({ disabledAt }) => {
      if (disabledAt !== null) throw new NothingToChange('The user is disabled already')
      return { disabledAt: now }
    },
    (tx, { id }) => closeAccount(deps, tx, id, 'user_disabled', now),
  )
  notifyOfUndone(deps, user.id, undone)
  return toProfile(user)
}
