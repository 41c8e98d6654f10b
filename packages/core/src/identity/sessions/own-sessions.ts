import { type Checked, limits } from '@countersign/contract'
import { Invalid } from '../../shared/errors.ts'
import { isCursor, type Page, readPage } from '../../shared/list-page.ts'
import type { Caller } from '../authentication/caller.ts'
import { SessionNotFound } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { reaches } from '../records/bound.ts'
import { boundOfCaller } from './bound-of-caller.ts'
import { type SessionProfile, toSessionProfile } from './session-profile.ts'
import { type EndingDeps, endAndUndo } from './undo-ended-sessions.ts'

type CallerInSession = Pick<Caller, 'userId' | 'sessionId' | 'tenants'>

/** A live session of the caller. `current` is true for the session of the request. */
export interface OwnSession extends SessionProfile {
  readonly current: boolean
}

/**
 * Returns a page of the live sessions of the caller, newest first; of a bound caller, those with the same bound. Only the sessions
 * of the page are decrypted. @throws Invalid
 * @example const { items } = await countersign.sessions.listOwn({ caller, limit: 20 })
 */
export async function listOwnSessions(
  deps: Pick<IdentityDeps, 'storage' | 'clock' | 'encryptionKeys'>,
  {
    caller,
    cursor: after,
    limit = limits.sessionsPerPage.default,
  }: Checked<'sessions.list'> & { readonly caller: CallerInSession },
): Promise<Page<OwnSession>> {
  if (after !== undefined && !isCursor(after)) throw new Invalid({ cursor: 'must be the nextCursor of a page' })
  const tenants = await boundOfCaller(deps, caller)
  const { items, next } = await readPage({ after, limit }, caller.userId, (page) =>
    deps.storage.sessions.page({ ...page, ended: false, tenants, now: deps.clock.now() }),
  )
  return {
    items: items.map((session) => ({ ...toSessionProfile(deps, session), current: session.id === caller.sessionId })),
    next,
  }
}

/**
 * Ends a live session of the caller, and undoes its work (`undoEndedSessions`).
 * @throws SessionNotFound, also for a session of another user, one that a bound caller does not reach, or an ended session
 * @throws InvalidAccessToken if the session of the request has ended
 * @example await countersign.sessions.endOwn({ caller, sessionId })
 */
export async function endOwnSession(
  deps: EndingDeps,
  { sessionId, caller }: Checked<'sessions.end'> & { readonly caller: CallerInSession },
): Promise<void> {
  const tenants = await boundOfCaller(deps, caller)
  await endAndUndo(deps, caller, async (tx, now) => {
    const session = await tx.sessions.byId(sessionId)
    const isOwn = session?.userId === caller.userId && reaches(tenants, session.tenants)
    if (!isOwn || !(await tx.sessions.end(sessionId, 'revoked', now))) throw new SessionNotFound()
  })
}

/**
 * Ends every live session of the caller except the session of the request; of a bound caller, those with the same bound. Undoes
 * their work (`undoEndedSessions`). Returns the number of ended sessions. The session of the request must still be live, so that an
 * ended session ends no other session.
 * @throws InvalidAccessToken if the session of the request has ended
 * @example const ended = await countersign.sessions.endOthers({ caller })
 */
export async function endOtherSessions(deps: EndingDeps, { caller }: { readonly caller: CallerInSession }): Promise<number> {
  const { userId, sessionId } = caller
  const tenants = await boundOfCaller(deps, caller)
  return endAndUndo(deps, caller, (tx, now) => tx.sessions.endAll({ userId, except: sessionId, tenants }, 'revoked', now))
}
