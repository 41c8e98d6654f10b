import type { IdentityDeps } from '../deps.ts'
import type { ErasedUser } from '../records/user.ts'
import { UserNotFound } from '../user-model/errors.ts'
import { type ByEmail, requireUser } from '../user-model/require-user.ts'

/** The result of a deletion. The id is the only thing that is left of the user. */
export interface DeletedUser extends ErasedUser {
  readonly id: number
}

/**
 * Deletes a user. All personal data is erased in one transaction, also the content of the user's approvals, and every session
 * ends. Approvals and projects keep the id, as a pseudonym that nothing maps to a person. The email can be used again. A user of a
 * directory must be deleted there first; otherwise the next login creates a new user. @throws UserNotFound
 * @example await countersign.users.delete({ email: 'ada@example.com' })
 */
export async function deleteUser(deps: IdentityDeps, { email }: ByEmail): Promise<DeletedUser> {
  const { storage, clock, logger, dataOfOtherParts, endings } = deps
  const { id } = await requireUser(deps, email)
  const deleted = await storage.transaction(async (tx) => {
    const now = clock.now()
    // The row of the user is locked first. No session is opened, and nothing is registered or approved, until the commit.
    const erased = await tx.users.erase(id, now)
    return erased && { settled: await dataOfOtherParts.erase(tx, id, now), counts: { id, ...erased } }
  })
  if (deleted === undefined) throw new UserNotFound()
  endings.announce(deleted.settled)
  logger.warn('user_deleted', { userId: id })
  return deleted.counts
}
