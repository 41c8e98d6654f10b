import type { Opening } from '../../shared/crypto/field-encryption.ts'
import { NothingToChange } from '../../shared/errors.ts'
import { storableText, trueOrFalse } from '../../shared/input-schemas.ts'
import { type ListAll, listAllShape, type Page } from '../../shared/list-page.ts'
import { SessionNotFound } from '../authentication/errors.ts'
import type { TimedStorage } from '../base-deps.ts'
import type { IdentityDeps } from '../deps.ts'
import { UserNotFound } from '../user-model/errors.ts'
import { listAll, type WithEmail } from '../user-model/list-all.ts'
import { type ByEmail, requireUser } from '../user-model/require-user.ts'
import { type NamedUser, storedUser } from './named-user.ts'
import { type SessionProfile, toAdminProfile, toSessionProfile } from './session-profile.ts'
import { type EndingDeps, endAndUndo } from './undo-ended-sessions.ts'

/**
 * Returns the live sessions of a user, newest first. @throws UserNotFound
 * @example const sessions = await countersign.sessions.list({ email: 'ada@example.com' })
 */
export async function listSessions(deps: TimedStorage & Opening, { email }: ByEmail): Promise<readonly SessionProfile[]> {
  const user = await requireUser(deps, email)
  const sessions = await deps.storage.sessions.ofUser(user.id, deps.clock.now())
  return sessions.map((session) => toSessionProfile(deps, session))
}

/** The input of a list of sessions across users. */
export interface ListAllSessions extends ListAll {
  /** Lists the sessions that were ended instead of the live ones. A session that only expired is in neither list. */
  readonly ended?: boolean | undefined
  /** Only sessions that the service of this name opened for users whom it had signed in. */
  readonly openedBy?: string | undefined
}

export const listAllSessionsShape = { ...listAllShape, ended: trueOrFalse.optional(), openedBy: storableText.optional() }

/** A session with the client that opened the session, and the email of the user. */
export interface ListedSession extends WithEmail<SessionProfile> {
  /** False if the client is recorded but its field cannot be decrypted, for example because the key is missing. */
  readonly clientOpened: boolean
}

/**
 * Returns a page of the sessions of all users, newest first, for an administrator. @throws UserNotFound
 * @example const { items } = await countersign.sessions.listAll({ ended: false, limit: 50 })
 */
export function listAllSessions(deps: IdentityDeps, input: ListAllSessions): Promise<Page<ListedSession>> {
  const { ended = false, openedBy, ...listed } = input
  return listAll(deps, listed, async (page) => {
    const query = { ...page, ended, openedBy: openedBy?.toLowerCase(), now: deps.clock.now() }
    return (await deps.storage.sessions.page(query)).map((session) => toAdminProfile(deps, session))
  })
}

/**
 * Ends a session by its id, for admins, and undoes its work. @throws SessionNotFound, NothingToChange if it has ended already
 * @example await countersign.sessions.revoke({ id: session.id })
 */
export async function revokeSession(deps: EndingDeps, input: { readonly id: string }): Promise<SessionProfile> {
  const { sessions } = deps.storage
  const { id } = input
  const session = await sessions.byId(id)
  if (session === undefined) throw new SessionNotFound()
  await endAndUndo(deps, { userId: session.userId }, async (tx, now) => {
    if (!(await tx.sessions.end(id, 'revoked', now))) throw new NothingToChange('The session has ended already')
  })
  return toSessionProfile(deps, (await sessions.byId(id)) ?? session)
}

/**
 * Ends every live session of a user within one second on every server, and undoes their work: for a host that signs out or blocks
 * a person. Asks no directory, so it works while that is unavailable. Returns the number of ended sessions, 0 also for a user of
 * the directory who is not stored. @throws UserNotFound for an unknown id or email
 * @example const ended = await countersign.sessions.endAll({ user: { directoryId: customer.id } })
 */
export async function endAllSessions(deps: EndingDeps, input: { readonly user: NamedUser }): Promise<number> {
  const user = await storedUser(deps, input.user)
  if (user === undefined && typeof input.user.directoryId === 'string') return 0
  if (user === undefined) throw new UserNotFound()
  return endAndUndo(deps, { userId: user.id }, (tx, now) => tx.sessions.endAll({ userId: user.id }, 'revoked', now))
}
