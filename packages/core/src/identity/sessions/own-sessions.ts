import { type Checked, limits } from '@countersign/contract'
import { Invalid } from '../../shared/errors.ts'
import { isCursor, type Page, readPage } from '../../shared/list-page.ts'
import type { Caller } from '../authentication/caller.ts'
import { SessionNotFound } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import type { NotifyOfChangeDeps } from '../push/notify-of-change.ts'
import { holdSession } from './hold-session.ts'
import { type SessionProfile, toSessionProfile } from './session-profile.ts'
import { notifyOfUndone, undoEndedSessions } from './undo-ended-sessions.ts'

type CallerInSession = Pick<Caller, 'userId' | 'sessionId'>

/** A live session of the caller. `current` is true for the session of the request. */
export interface OwnSession extends SessionProfile {
  readonly current: boolean
}

/** Returns a page of the live sessions of the caller, newest first. Only the sessions of the page are decrypted. @throws Invalid */
export async function listOwnSessions(
  deps: Pick<IdentityDeps, 'storage' | 'clock' | 'encryptionKeys'>,
  {
    caller,
    cursor: after,
    limit = limits.sessionsPerPage.default,
  }: Checked<'sessions.list'> & { readonly caller: CallerInSession },
): Promise<Page<OwnSession>> {
  if (after !== undefined && !isCursor(after)) throw new Invalid({ cursor: 'must be the nextCursor of a page' })
  const { items, next } = await readPage({ after, limit }, caller.userId, (page) =>
    deps.storage.sessions.page({ ...page, ended: false, now: deps.clock.now() }),
  )
  return {
    items: items.map((session) => ({ ...toSessionProfile(deps, session), current: session.id === caller.sessionId })),
    next,
  }
}

type EndingDeps = NotifyOfChangeDeps & Pick<IdentityDeps, 'endings'>

/**
 * Ends a live session of the caller, and undoes its work (`undoEndedSessions`).
 *
 * @throws SessionNotFound, also for a session of another user or an ended session
 * @throws InvalidAccessToken if the session of the request has ended
 */
export async function endOwnSession(
  deps: EndingDeps,
  { sessionId, caller }: Checked<'sessions.end'> & { readonly caller: CallerInSession },
): Promise<void> {
  const { userId } = caller
  const removed = await deps.storage.transaction(async (tx) => {
    const now = deps.clock.now()
    await tx.trust.lock(userId)
    await holdSession(tx, caller)
    const session = await tx.sessions.byId(sessionId)
    const isOwn = session?.userId === userId
    if (!isOwn || !(await tx.sessions.end(sessionId, 'revoked', now))) throw new SessionNotFound()
    return undoEndedSessions(deps, tx, userId, now, 'of_ended_sessions')
  })
  notifyOfUndone(deps, userId, removed)
}

/**
 * Ends every live session of the caller except the session of the request, and undoes their work (`undoEndedSessions`). Returns the
 * number of ended sessions.
 * The session of the request must still be live, so that an ended session ends no other session.
 *
 * @throws InvalidAccessToken if the session of the request has ended
 */
export async function endOtherSessions(deps: EndingDeps, input: { readonly caller: CallerInSession }): Promise<number> {
  const { userId, sessionId } = input.caller
  const { ended, removed } = await deps.storage.transaction(async (tx) => {
    const now = deps.clock.now()
    await tx.trust.lock(userId)
    await holdSession(tx, input.caller)
    const ended = await tx.sessions.endOthersOfUser(userId, sessionId, 'revoked', now)
    return { ended, removed: await undoEndedSessions(deps, tx, userId, now, 'of_ended_sessions') }
  })
  notifyOfUndone(deps, userId, removed)
  return ended
}
