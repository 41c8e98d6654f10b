import type { LoggedChange } from '../base-deps.ts'
import type { User, UserChange } from '../records/user.ts'
import type { IdentityStores } from '../stores.ts'
import { UserChangedMeanwhile, UsersKeptByHost } from '../user-model/errors.ts'
import { requireUser } from '../user-model/require-user.ts'
import { endLostDelegations, logEndedDelegations } from './delegations.ts'

const TRIES = 3

/**
 * Changes a user, and runs `alongside` after it in the same transaction, with the user after and before. `decide` derives the
 * change from the current user, and runs again if another change came first. Returns the user and the answer.
 * @throws UserNotFound, UserChangedMeanwhile, UsersKeptByHost
 */
export const changeUser = async <A>(
  deps: LoggedChange,
  email: string,
  decide: (user: User) => UserChange | Promise<UserChange>,
  alongside: (tx: IdentityStores, user: User, before: User) => Promise<A>,
) => {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const user = await requireUser(deps, email)
    if (user.directoryId !== null) throw new UsersKeptByHost()
    const change = await decide(user)
    const changed = await deps.storage.transaction(async (tx) => {
      const next = await tx.users.change(user.id, user.version, change, deps.clock.now())
      if (next === undefined) return undefined
      const ended = await endLostDelegations(tx, next, change, deps.clock.now())
      return { next, ended, answer: await alongside(tx, next, user) }
    })
    if (changed === undefined) continue
    logEndedDelegations(deps.logger, changed.ended)
    return { user: changed.next, answer: changed.answer }
  }
  throw new UserChangedMeanwhile()
}
