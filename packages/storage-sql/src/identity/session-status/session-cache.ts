import type { StorageStatistics } from '@countersign/core'
import type { ServiceToken, SessionStatus } from '@countersign/core/storage'
import { LRUCache } from 'lru-cache'
import { type CachedChange, MAX_REPORTED, type PolledChanges } from '../../shared/change-feed.ts'
import type { SessionStatusReader } from './read-session-status.ts'

/** The greatest number of cached sessions, and of cached service tokens. */
const MOST_REMEMBERED = 100_000
/** Limits by `maxSize`: with `max`, the library allocates arrays of that length immediately, in every process. */
const UP_TO = { maxSize: MOST_REMEMBERED, sizeCalculation: () => 1 }

/** A reader that keeps what it read, and counts how often that helped. */
export interface SessionCache extends SessionStatusReader {
  readonly statistics: () => StorageStatistics['sessionCache']
  /** Removes changed entries. Returns whether the remaining ones can be trusted. */
  readonly catchUp: () => boolean
}

/** Answers from memory while the feed reports no change, so that every answer is current. Caches only live sessions and tokens. */
export const cacheSessionStatus = (
  database: SessionStatusReader,
  feed: { readonly poll: () => PolledChanges<CachedChange> },
): SessionCache => {
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
  let hits = 0
  let misses = 0

  const forget: Record<CachedChange['kind'], (subject: string) => void> = {
    session: (id) => sessions.delete(id),
    user: (id) => {
      for (const session of sessionsOf.get(id) ?? []) sessions.delete(session)
    },
    service_token: (id) => serviceTokens.delete(id),
  }

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

  /** Queries the database unless the answer is known. The answer is cached only if nothing changed during the query. */
  const recall = async <T>(
    known: LRUCache<string, T & object>,
    id: string,
    ask: (id: string) => Promise<(T & object) | undefined>,
    keep: (answer: T & object) => void,
  ): Promise<T | undefined> => {
    const isSure = catchUp()
    const remembered = isSure ? known.get(id) : undefined
    if (remembered !== undefined) {
      hits += 1
      return remembered
    }
    misses += 1
    const before = revision
    const answer = await ask(id)
    const isStillSure = catchUp()
    if (answer !== undefined && isSure && isStillSure && revision === before) keep(answer)
    return answer
  }

  return {
    session: (id) =>
      recall<SessionStatus>(sessions, id, database.session, (status) => {
        sessions.set(id, status)
        const user = String(status.userId)
        sessionsOf.set(user, (sessionsOf.get(user) ?? new Set()).add(id))
      }),
    serviceToken: (id) => recall<ServiceToken>(serviceTokens, id, database.serviceToken, (token) => serviceTokens.set(id, token)),
    statistics: () => ({ hits, misses }),
    catchUp,
  }
}

/** Collects the changes of this process, which it applies before their caller gets an answer, ahead of the database's news. */
export const ownChanges = () => {
  let own: CachedChange[] | 'unknown' = []
  return {
    note: (changes: readonly CachedChange[]): void => {
      if (own !== 'unknown') own = own.length + changes.length > MAX_REPORTED ? 'unknown' : [...own, ...changes]
    },
    /** Returns these changes together with the process's own. While the feed is unsure, the own changes are kept for later. */
    joined: (news: PolledChanges<CachedChange>): PolledChanges<CachedChange> => {
      if (news === 'unsure' || own.length === 0) return news
      const reported = own
      own = []
      return news === 'unknown' || reported === 'unknown' ? 'unknown' : [...reported, ...news]
    },
  }
}
