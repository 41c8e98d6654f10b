import { endsThatKeepWork, type Session, type SessionEnd } from '../../../identity/sessions/session.ts'
import type { SessionStore } from '../../../identity/sessions/store.ts'
import { isTrusted } from '../../../identity/trust/trust.ts'
import { mayLogIn, type User } from '../../../identity/users/user.ts'
import type { Instant } from '../../../shared/clock.ts'
import { insert, newestFirst, pageOf, type Run, replaceWhere, type Tables } from '../tables.ts'
import { openerTrust } from './opener-trust.ts'

const isAdmitted = (user: User | undefined): boolean => user !== undefined && mayLogIn(user)

const isLive = (session: Session): boolean => session.endedAt === null

/** Returns whether the user has this session, the session has not ended, and the user is neither disabled nor locked. */
export const isLiveSession = ({ sessions, users }: Tables, sessionId: string, userId: number): boolean => {
  const session = sessions.get(sessionId)
  return session !== undefined && session.userId === userId && isLive(session) && isAdmitted(users.get(userId))
}

/** Returns whether somebody else ended the session (see `endsThatKeepWork`). */
export const isEndedByOthers = ({ sessions }: Tables, id: string | null | undefined): boolean => {
  const reason = sessions.get(id ?? '')?.endReason
  return reason != null && !endsThatKeepWork.some((kept) => kept === reason)
}

const end = ({ sessions }: Tables, id: string, reason: SessionEnd, now: Instant): boolean =>
  replaceWhere(sessions, id, isLive, (session) => ({ ...session, endedAt: now, endReason: reason })) !== undefined

const endWhere = (tables: Tables, condition: (session: Session) => boolean, reason: SessionEnd, now: Instant): number =>
  [...tables.sessions.values()].filter((session) => condition(session) && end(tables, session.id, reason, now)).length

/** Ends the sessions above the limit; see `SessionStore.open`. */
const endExcess = (tables: Tables, { id, userId, createdAt: now }: Session, limit: number): void => {
  const live = [...tables.sessions.values()]
    .filter((session) => session.userId === userId && isLive(session) && now < session.refreshExpiresAt)
    .map((session) => ({ ...session, trusted: isTrusted({ trustedAt: openerTrust(tables, session) }, now) }))
  const isTrustedOpener = live.some((session) => session.id === id && session.trusted)
  const newest = live.toSorted((a, b) => b.lastUsedAt - a.lastUsedAt || (a.id < b.id ? 1 : -1))
  const place = (session: (typeof live)[number]) => newest.filter(({ trusted }) => trusted === session.trusted).indexOf(session)
  const protects = ({ trusted }: { readonly trusted: boolean }) => Number(trusted && !isTrustedOpener)
  const inOrder = live
    .filter((session) => session.id !== id)
    .sort((a, b) => protects(a) - protects(b) || place(b) - place(a) || Number(a.trusted) - Number(b.trusted))
  const needed = live.length + Number(live.every(({ trusted }) => trusted))
  for (const session of inOrder.slice(0, Math.max(0, needed - limit))) end(tables, session.id, 'too_many', now)
}

export const memorySessions = (run: Run): SessionStore => ({
  open: (session, limit) =>
    run((tables) => {
      insert(tables.sessions, session.id, session)
      if (limit !== undefined) endExcess(tables, session, limit)
    }),
  byId: (id) => run(({ sessions }) => sessions.get(id)),
  status: (id) =>
    run((tables) => {
      const { sessions, users } = tables
      const session = sessions.get(id)
      if (session === undefined || !isLive(session)) return undefined
      const user = users.get(session.userId)
      if (user === undefined || !mayLogIn(user)) return undefined
      const { directoryId, email, employee, department, permissions } = user
      const { userId, kind, authMethod, deviceId, rememberMe, createdAt } = session
      const fixed = { userId, kind, authMethod, deviceId, rememberMe, createdAt }
      return { ...fixed, directoryId, email, employee, department, permissions, trustedAt: openerTrust(tables, session) }
    }),
  rotate: ({ sessionId, fromTokenId, toTokenId, keyHash, expiresAt, now }) =>
    run(({ sessions }) => {
      const rotated = replaceWhere(
        sessions,
        sessionId,
        (session) => isLive(session) && session.refreshTokenId === fromTokenId && now < session.refreshExpiresAt,
        (session) => ({
          ...session,
          refreshTokenId: toTokenId,
          previousRefreshTokenId: fromTokenId,
          renewalKeyHash: keyHash,
          rotatedAt: now,
          lastUsedAt: now,
          refreshExpiresAt: expiresAt,
        }),
      )
      return rotated !== undefined
    }),
  rotatedBefore: ({ sessionId, fromTokenId, admitted, now }) =>
    run(({ sessions }) => {
      const session = sessions.get(sessionId)
      if (session === undefined || !isLive(session) || session.previousRefreshTokenId !== fromTokenId) return undefined
      const { renewalKeyHash, rotatedAt } = session
      const distance = Math.abs(now - rotatedAt)
      return admitted.some(({ keyHash, within }) => keyHash === renewalKeyHash && distance <= within) ? session : undefined
    }),
  hold: (id, userId) => run((tables) => isLiveSession(tables, id, userId)),
  end: (id, reason, now) => run((tables) => end(tables, id, reason, now)),
  disown: (id, now) =>
    run((tables) => {
      const disowned = replaceWhere(
        tables.sessions,
        id,
        () => !isEndedByOthers(tables, id),
        (session) => ({ ...session, endedAt: session.endedAt ?? now, endReason: 'not_me' as const }),
      )
      return disowned !== undefined
    }),
  endAllOfUser: (userId, reason, now) => run((tables) => endWhere(tables, (session) => session.userId === userId, reason, now)),
  endOthersOfUser: (userId, keptSessionId, reason, now) =>
    run((tables) => endWhere(tables, (session) => session.userId === userId && session.id !== keptSessionId, reason, now)),
  endAllOfDevice: (deviceId, reason, now) =>
    run((tables) => endWhere(tables, (session) => session.deviceId === deviceId, reason, now)),
  endAllOfPasskey: (userId, passkeyId, reason, now) =>
    run((tables) => endWhere(tables, (session) => session.userId === userId && session.passkeyId === passkeyId, reason, now)),
  liveOfUser: (userId, now) =>
    run(({ sessions }) =>
      [...sessions.values()]
        .filter((session) => session.userId === userId && isLive(session) && now < session.refreshExpiresAt)
        .sort(newestFirst),
    ),
  allOfUser: (userId) =>
    run(({ sessions }) => [...sessions.values()].filter((session) => session.userId === userId).sort(newestFirst)),
  eraseAllOfUser: (userId, now) =>
    run((tables) => {
      const ended = endWhere(tables, (session) => session.userId === userId, 'user_deleted', now)
      for (const session of tables.sessions.values()) {
        if (session.userId === userId) tables.sessions.set(session.id, { ...session, openedFrom: null })
      }
      return ended
    }),
  page: ({ ended, now, ...page }) =>
    run(({ sessions }) => {
      const isListed = (session: Session) => (ended ? !isLive(session) : isLive(session) && now < session.refreshExpiresAt)
      return pageOf([...sessions.values()].filter(isListed), page)
    }),
})
