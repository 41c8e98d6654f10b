import { setInterval } from 'node:timers'
import type { LiveApproval, LiveChange, WatchChanges } from '@countersign/core/storage'
import type { CachedChange, Change, ChangeFeed, PolledChanges } from '../shared/change-feed.ts'
import { toBound } from '../shared/record-mapping.ts'
import type { CachedKind } from '../tables/index.ts'

/** Milliseconds between two calls of the listeners. */
const EVERY = 25

const cachedKinds: ReadonlySet<string> = new Set(['session', 'user', 'service_token'] satisfies CachedKind[])

const isCached = (change: Change): change is CachedChange => cachedKinds.has(change.kind)

/** Reads a row of the change feed. `undefined` for a kind that no stream reports. The triggers write the subjects. */
const toLiveChange = ({ kind, subject }: Change): LiveChange | undefined => {
  if (kind === 'user' || kind === 'sessions_of_user') return { kind: 'account', userId: Number(subject) }
  if (kind !== 'confirmation' && kind !== 'approval_request') return undefined
  const [userId, status, expiresAt, id = '', sessionId, ...place] = subject.split(':')
  // The name of a tenant may have colons. The list of a bound begins with a bracket, which no tenant has.
  const where = place.join(':')
  const isBound = where.startsWith('[')
  return {
    kind,
    id,
    userId: Number(userId),
    sessionId: sessionId || null,
    tenant: isBound ? null : where || null,
    boundTo: isBound ? toBound(where) : null,
    status: status as LiveApproval['status'],
    expiresAt: Number(expiresAt),
  }
}

/** The changes for live streams, and the poll of the change feed. Only this poll may read the feed. */
export interface FannedOut {
  /** Polls the feed. Keeps the changes for live streams, and returns those that concern the session cache. */
  poll(): PolledChanges<CachedChange>
  readonly watch: WatchChanges
}

/**
 * Shares one change feed between the session cache and live streams. Nothing polls while no stream is open.
 *
 * @param look Makes the session cache poll, so that it sees every change before the streams do.
 */
export const liveChanges = (feed: Pick<ChangeFeed, 'poll' | 'watched'>, look: () => void): FannedOut => {
  const listeners = new Set<Parameters<WatchChanges>[0]>()
  let news: LiveChange[] | 'unknown' = []
  let timer: NodeJS.Timeout | undefined

  const report = (): void => {
    try {
      look()
    } catch {
      // The database does not answer. The feed reports the changes, or `unknown`, once it does.
    }
    const reported = news
    news = []
    for (const listener of listeners) listener(reported)
  }

  return {
    poll: () => {
      const polled = feed.poll()
      if (polled === 'unknown') news = 'unknown'
      if (typeof polled === 'string') return polled
      if (listeners.size > 0 && news !== 'unknown')
        news.push(...polled.map(toLiveChange).filter((change) => change !== undefined))
      return polled.filter(isCached)
    },
    watch: (listener) => {
      listeners.add(listener)
      if (timer === undefined) {
        news = []
        feed.watched?.(true)
        timer = setInterval(report, EVERY).unref()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
        feed.watched?.(false)
      }
    },
  }
}
