import type { Instant } from '../../shared/clock.ts'
import type { IdentityDeps } from '../deps.ts'
import type { Delegation } from '../records/delegation.ts'
import type { User, UserChange } from '../records/user.ts'
import type { IdentityStores } from '../stores.ts'
import { UserChangedMeanwhile, UsersKeptByHost } from '../user-model/errors.ts'
import { holdsLent } from '../user-model/lent-permissions.ts'
import { requireUser } from '../user-model/require-user.ts'

const TRIES = 3

/**
 * Changes a user, in one transaction with `alongside`. `decide` derives the change from the current user. If another change
 * happened in between, `decide` runs again on the new state.
 *
 * @param alongside Runs in the same transaction, after the change.
 * @throws UserNotFound, UserChangedMeanwhile, UsersKeptByHost
 */
export const changeUser = async (
  deps: Pick<IdentityDeps, 'storage' | 'clock' | 'logger'>,
  email: string,
  decide: (user: User) => UserChange | Promise<UserChange>,
  alongside: (tx: IdentityStores, user: User) => Promise<unknown> = async () => {},
): Promise<User> => {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const user = await requireUser(deps, email)
    if (user.directoryId !== null) throw new UsersKeptByHost()
    const change = await decide(user)
    const changed = await deps.storage.transaction(async (tx) => {
      const next = await tx.users.change(user.id, user.version, change, deps.clock.now())
      if (next === undefined) return undefined
      const ended = change.permissions === undefined ? [] : await endDelegationsOf(tx, next, deps.clock.now())
      await alongside(tx, next)
      return { next, ended }
    })
    if (changed === undefined) continue
    for (const { from, to, permission } of changed.ended) deps.logger.info('delegation_ended', { from, to, permission })
    return changed.next
  }
  throw new UserChangedMeanwhile()
}

/** Ends the delegations whose permission the giver lost. They do not come back with it. Returns those that were ended. */
const endDelegationsOf = async (tx: IdentityStores, { id, permissions }: User, now: Instant): Promise<readonly Delegation[]> => {
  const given = (await tx.delegations.ofUser(id, now)).filter(({ from }) => from === id)
  const lost = given.filter(({ permission }) => !holdsLent(permissions, permission))
  for (const delegation of lost) await tx.delegations.end(delegation)
  return lost
}
