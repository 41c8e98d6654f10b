import type { IdentityStorage } from '../base-deps.ts'
import type { Session } from '../records/session.ts'
import { mayLogIn, type User } from '../records/user.ts'
import type { IdentityStores } from '../stores.ts'
import { ensureTokens, type IssueDeps } from '../tokens/issue-tokens.ts'

const TRIES = 3

/**
 * Returns whether a user may still log in after a change: neither disabled nor locked, with the same password. Changed
 * permissions do not matter.
 */
const isStillAdmitted = (decided: User, now: User | undefined): now is User =>
  now !== undefined && mayLogIn(now) && now.passwordHash === decided.passwordHash

/**
 * The user as of the opening of the session, or why no session was opened: `user` if the user was disabled, was locked or got
 * another password meanwhile, otherwise the reason that the companion returned.
 */
export type Opening<R> = { readonly user: User } | { readonly refused: R | 'user' }

/**
 * Opens a session for a user, unless the user was disabled, was locked or got another password since the decision. A change of
 * permissions does not stop the login. The least recently used session ends if the user has too many (see `SessionStore.open`).
 *
 * @param companion Runs in the same transaction, before the session is opened. A returned reason refuses the session.
 * @param first Runs in the same transaction, before the row of the user is locked.
 * @throws TokenTooLong if the tokens of the session would be too long
 */
export const openSession = async <R = never>(
  deps: IdentityStorage & IssueDeps,
  decided: User,
  session: Session,
  companion: (tx: IdentityStores) => Promise<R | undefined>,
  first: (tx: IdentityStores) => Promise<void> = async () => {},
): Promise<Opening<R>> => {
  const { storage } = deps
  let user = decided
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const { id, version } = user
    ensureTokens(deps, user, session, session.createdAt)
    const outcome = await storage.transaction(async (tx) => {
      await first(tx)
      if (!(await tx.users.admit(id, version))) return 'changed'
      const refused = await companion(tx)
      if (refused !== undefined) return { refused }
      await tx.sessions.open(session, deps.options.sessionsPerUser)
      return { user }
    })
    if (outcome !== 'changed') return outcome
    const now = await storage.users.byId(id)
    if (!isStillAdmitted(decided, now)) break
    user = now
  }
  return { refused: 'user' }
}
