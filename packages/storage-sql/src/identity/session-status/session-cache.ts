import type { ServiceToken, SessionStatus } from '@countersign/core/storage'
import { LRUCache } from 'lru-cache'
import type { Change, ChangeFeed } from '../../shared/change-feed.ts'
import type { SessionStatusReader } from './session-status.ts'

/** Sessions, and service tokens, of which a process remembers the standing. */
const MOST_REMEMBERED = 100_000
/** By size: for a `max`, the library lays out lists of that length at once, which every process would pay for. */
const UP_TO = { maxSize: MOST_REMEMBERED, sizeCalculation: () => 1 }

/**
 * Answers from memory while the feed says that nothing changed, and asks the database otherwise: so every answer is the
 * one that the database would give at the call. Only good standings are remembered.
 */
export const cacheSessionStatus = (database: SessionStatusReader, feed: ChangeFeed): SessionStatusReader => {
  const sessionsOf = new Map<string, Set<string>>()
  const sessions = new LRUCache<string, SessionStatus>({
    ...UP_TO,
    dispose: ({ userId }, id) => {
      const ofUser = sessionsOf.get(String(userId))
      ofUser?.delete(id)
      if (ofUser?.size === 0) sessionsOf.delete(String(userId))
    },
  })
  const serviceTokens = new LRUCache<string, ServiceToken>(UP_TO)
  let revision = 0

  const forget: Record<Change['kind'], (subject: string) => void> = {
    session: (id) => sessions.delete(id),
    user: (id) => {
      for (const session of sessionsOf.get(id) ?? []) sessions.delete(session)
    },
    service_token: (id) => serviceTokens.delete(id),
  }

  /** Forgets what changed; tells whether what is then left may be relied on. */
  const catchUp = (): boolean => {
    const changes = feed.poll()
    if (changes === 'unsure') return false
    if (changes.length === 0) return true
    revision += 1
    if (changes === 'unknown') {
      sessions.clear()
      serviceTokens.clear()
    } else {
      for (const { kind, subject } of changes) forget[kind](subject)
    }
    return true
  }

  /** What was read while something changed is handed out, as it was so at one time of the call, but not kept. */
  const askAnew = async <T>(
    id: string,
    isSure: boolean,
    ask: (id: string) => Promise<(T & object) | undefined>,
    keep: (answer: T & object) => void,
  ): Promise<T | undefined> => {
    const before = revision
    const answer = await ask(id)
    const isStillSure = catchUp()
    if (answer !== undefined && isSure && isStillSure && revision === before) keep(answer)
    return answer
  }

  const recall = async <T>(
    known: LRUCache<string, T & object>,
    id: string,
    ask: (id: string) => Promise<(T & object) | undefined>,
    keep: (answer: T & object) => void,
  ): Promise<T | undefined> => {
    const isSure = catchUp()
    const remembered = isSure ? known.get(id) : undefined
    return remembered ?? askAnew(id, isSure, ask, keep)
  }

  return {
    session: (id) =>
      recall<SessionStatus>(sessions, id, database.session, (status) => {
        sessions.set(id, status)
        const user = String(status.userId)
        sessionsOf.set(user, (sessionsOf.get(user) ?? new Set()).add(id))
      }),
    serviceToken: (id) => recall<ServiceToken>(serviceTokens, id, database.serviceToken, (token) => serviceTokens.set(id, token)),
  }
}
