import { type Checked, limits } from '@countersign/contract'
import { Invalid } from '../../shared/errors.ts'
import { isCursor, type Page, readPage } from '../../shared/list-page.ts'
import { SessionNotFound } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { reaches } from '../records/bound.ts'
import { boundOfCaller, type InSession } from './bound-of-caller.ts'
import { type SessionProfile, toSessionProfile } from './session-profile.ts'
import { type EndingDeps, endAndUndo } from './undo-ended-sessions.ts'

/** A live session of the caller. `current` is true for the session of the request. */
export interface OwnSession extends SessionProfile {
  readonly current: boolean
}

/**
 * Returns a page of the live sessions of the caller, newest first; of a bound caller, those with the same bound. @throws Invalid
 * @example const { items } = await countersign.sessions.listOwn({ caller, limit: 20 })
 */
export async function listOwnSessions(
  deps: IdentityDeps,
  input: Checked<'sessions.list'> & InSession,
): Promise<Page<OwnSession>> {
  const { caller, cursor: after, limit = limits.sessionsPerPage.default } = input
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
 * Ends a live session of the caller, and undoes its work. @throws InvalidAccessToken if the session of the request has ended
 * @throws SessionNotFound, also for an ended session, one of another user, or one that a bound caller does not reach
 * @example await countersign.sessions.endOwn({ caller, sessionId })
 */
export async function endOwnSession(deps: EndingDeps, { sessionId, caller }: Checked<'sessions.end'> & InSession): Promise<void> {
  const tenants = await boundOfCaller(deps, caller)
  await endAndUndo(deps, caller, async (tx, now) => {
    const session = await tx.sessions.byId(sessionId)
    const isOwn = session?.userId === caller.userId && reaches(tenants, session.tenants)
    if (!isOwn || !(await tx.sessions.end(sessionId, 'revoked', now))) throw new SessionNotFound()
  })
}

/**
 * Ends every other live session of the caller, of a bound caller those with the same bound, undoes their work, and returns their
 * number. @throws InvalidAccessToken if the session of the request has ended
 * @example const ended = await countersign.sessions.endOthers({ caller })
 */
export async function endOtherSessions(deps: EndingDeps, { caller }: InSession): Promise<number> {
  const { userId, sessionId } = caller
  const tenants = await boundOfCaller(deps, caller)
  return endAndUndo(deps, caller, (tx, now) => tx.sessions.endAll({ userId, except: sessionId, tenants }, 'revoked', now))
}
