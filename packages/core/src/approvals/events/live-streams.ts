import type { LiveEvent } from '@countersign/contract'
import * as z from 'zod'
import type { Caller } from '../../identity/authentication/caller.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import type { IdentityDeps } from '../../identity/deps.ts'
import { verifyToken } from '../../identity/tokens/verify-token.ts'
import { useCaseBinders } from '../../shared/bind-use-cases.ts'
import { type Instant, timeBetween } from '../../shared/clock.ts'
import { Overloaded } from '../../shared/errors.ts'
import { aFunction } from '../../shared/input-schemas.ts'
import { signerOf } from '../confirmations/signatures/signers.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { LiveApproval, LiveChange, WatchChanges } from '../records/live-change.ts'
import { type Addressed, eventOf, expiryOf, visibleEvents } from './live-event.ts'

/** The most streams of a session. A further stream is refused: if it ended another one, that client would return at once. */
const MOST_OF_SESSION = 5
/** The most streams of a user, in all sessions, so that one user leaves room for the others of the process. */
const MOST_OF_USER = 50
const MOST = 10_000
/** Milliseconds after which a session without news is checked again. A stream says nothing for at most 15 seconds. */
const CHECK_EVERY = 14_000
/** Milliseconds between two looks for expired approvals, expired tokens and sessions to check. */
const LOOK_EVERY = 250
/** The most events that wait while a session is checked. With more, the client gets the event `read_again`. */
const MOST_WAITING = 100
/** The most users whose streams read again at a time, so that a lost change feed does not check every session at once. */
const MOST_BEHIND = 250

const READ_AGAIN: Addressed = { event: { type: 'read_again' }, place: 'everywhere' }

/** The connection to the client of a stream, which the host implements. */
export interface StreamSink {
  /** Sends an event; for `undefined`, a comment that shows that the stream is alive. */
  send(event: LiveEvent | undefined): void
  /** Ends the stream. Nothing is sent afterwards. */
  end(): void
}

export interface OpenEvents extends StreamSink {
  /** The access token of the session. The stream ends when the token expires. */
  readonly token: string
}

const openEventsShape = { token: z.string({ error: 'must be a token' }), send: aFunction, end: aFunction }

interface Stream extends Pick<Caller, 'userId' | 'sessionId'> {
  readonly token: string
  readonly sink: StreamSink
  readonly expiresAt: Instant
  mayReadPending: boolean
  checkedAt: Instant
  /** The events that wait for the check of the session; `undefined` while no check is under way. */
  waiting: Addressed[] | undefined
}

interface Watched {
  /** The streams of a user, in the order of their opening. */
  readonly streams: Set<Stream>
  /** The approvals that will expire, by id. While rows are read, also the ids of those that were settled meanwhile. */
  readonly expiring: Map<string, LiveApproval | 'settled'>
  reads: number
}

type Deps = Pick<IdentityDeps, 'clock' | 'tokenKeys' | 'knownTokens' | 'options'> & {
  readonly storage: Pick<ApprovalDeps['storage'], 'confirmations'> & { readonly watchChanges: WatchChanges }
  readonly authenticate: (input: { readonly token: string }) => Promise<Caller>
}

/** Creates the live streams of one process. Nothing runs while no stream is open. */
export const liveStreams = (deps: Deps) => {
  const { storage, clock } = deps
  const { shaped } = useCaseBinders(deps)
  const users = new Map<number, Watched>()
  /** The users who must read again, because changes were lost. */
  const behind = new Set<Watched>()
  let count = 0
  let hasEnded = false
  let lookedAt = 0
  let stopWatching: (() => void) | undefined

  const leave = (stream: Stream): boolean => {
    const watched = users.get(stream.userId)
    if (watched?.streams.delete(stream) !== true) return false
    count -= 1
    if (watched.streams.size === 0) {
      users.delete(stream.userId)
      behind.delete(watched)
    }
    if (count === 0) {
      stopWatching?.()
      stopWatching = undefined
    }
    return true
  }

  const end = (stream: Stream): void => {
    if (leave(stream)) stream.sink.end()
  }

  const isOpen = (stream: Stream): boolean => users.get(stream.userId)?.streams.has(stream) === true

  /** Checks the session, then sends what waits. A session that cannot be checked gets nothing. */
  const deliver = async (stream: Stream): Promise<void> => {
    const events = stream.waiting ?? []
    stream.waiting = []
    const caller = await deps.authenticate({ token: stream.token })
    if (!isOpen(stream)) return
    const mayReadPending = signerOf(deps, caller) !== undefined
    if (stream.mayReadPending && !mayReadPending) {
      end(stream)
      return
    }
    // A device that became trusted may see what was hidden before.
    if (mayReadPending && !stream.mayReadPending) events.unshift(READ_AGAIN)
    stream.mayReadPending = mayReadPending
    const visible = visibleEvents(events, caller, mayReadPending)
    // A hidden event must not delay the next sign of life, because the delay would reveal the event.
    if (events.length === 0 || visible.length > 0) stream.checkedAt = clock.now()
    if (events.length === 0) stream.sink.send(undefined)
    for (const event of visible) stream.sink.send(event)
    if (stream.waiting.length > 0) await deliver(stream)
  }

  const check = (stream: Stream, ...events: readonly Addressed[]): void => {
    if (stream.waiting !== undefined) {
      stream.waiting = stream.waiting.length < MOST_WAITING ? [...stream.waiting, ...events] : [READ_AGAIN]
      return
    }
    stream.waiting = events.length > MOST_WAITING ? [READ_AGAIN] : [...events]
    deliver(stream)
      .catch(() => end(stream))
      .finally(() => {
        stream.waiting = undefined
      })
  }

  const tell = ({ streams }: Watched, ...events: readonly Addressed[]): void => {
    for (const stream of streams) check(stream, ...events)
  }

  const note = ({ expiring, reads }: Watched, change: LiveApproval): void => {
    if (change.status === 'pending') expiring.set(change.id, change)
    else if (reads > 0) expiring.set(change.id, 'settled')
    else expiring.delete(change.id)
  }

  const readExpiring = async (userId: number, watched: Watched): Promise<void> => {
    const { expiring } = watched
    watched.reads += 1
    try {
      const rows = await storage.confirmations.expiring(userId, clock.now())
      for (const row of rows) if (!expiring.has(row.id)) expiring.set(row.id, row)
    } finally {
      watched.reads -= 1
      if (watched.reads === 0) for (const [id, approval] of expiring) if (approval === 'settled') expiring.delete(id)
    }
  }

  const look = (now: Instant): void => {
    for (const watched of users.values()) {
      for (const [id, approval] of watched.expiring) {
        if (approval === 'settled' || now < approval.expiresAt) continue
        watched.expiring.delete(id)
        tell(watched, expiryOf(approval))
      }
      for (const stream of watched.streams) {
        if (now >= stream.expiresAt) end(stream)
        else if (timeBetween(now, stream.checkedAt) >= CHECK_EVERY && stream.waiting === undefined) check(stream)
      }
    }
  }

  const onChanges = (changes: readonly LiveChange[] | 'unknown'): void => {
    if (changes === 'unknown') {
      for (const watched of users.values()) behind.add(watched)
    } else {
      const news = Map.groupBy(changes, ({ userId }) => users.get(userId))
      for (const [watched, ofUser] of news) {
        if (watched === undefined) continue
        for (const change of ofUser) if (change.kind !== 'account') note(watched, change)
        tell(watched, ...ofUser.map(eventOf))
      }
    }
    for (const watched of [...behind].slice(0, MOST_BEHIND)) {
      behind.delete(watched)
      tell(watched, READ_AGAIN)
    }
    const now = clock.now()
    if (Math.abs(now - lookedAt) < LOOK_EVERY) return
    lookedAt = now
    look(now)
  }

  const isFull = ({ userId, sessionId }: Caller): boolean => {
    const streams = [...(users.get(userId)?.streams ?? [])]
    return streams.length >= MOST_OF_USER || streams.filter((stream) => stream.sessionId === sessionId).length >= MOST_OF_SESSION
  }

  /** Adds a stream. Returns what the user's first stream must read. */
  const add = (stream: Stream): Watched | undefined => {
    const known = users.get(stream.userId)
    const watched = known ?? { streams: new Set(), expiring: new Map(), reads: 0 }
    watched.streams.add(stream)
    users.set(stream.userId, watched)
    count += 1
    stopWatching ??= storage.watchChanges(onChanges)
    return known === undefined ? watched : undefined
  }

  return {
    /**
     * Opens a stream of what happens to the user of a session, until the session, the trust of its device or the token ends.
     * Returns a function for a client that goes away.
     * @throws InvalidAccessToken, Overloaded for too many streams of the session, the user or this process, or at its end
     * @example const leave = await countersign.events.open({ token, send: (event) => write(event), end: () => response.end() })
     */
    open: shaped<OpenEvents, () => void>(openEventsShape, async (_, { token, send, end: onEnd }) => {
      const caller = await deps.authenticate({ token })
      const { userId, sessionId } = caller
      const claims = verifyToken(deps, token, ['access', 'biometric_access'])
      if (claims === undefined) throw new InvalidAccessToken()
      if (hasEnded || count >= MOST || isFull(caller))
        throw new Overloaded('Too many live streams', 'streams_open', { retryAfterMs: 5000 })
      const stream: Stream = {
        userId,
        sessionId,
        token,
        sink: { send, end: onEnd },
        expiresAt: claims.exp * 1000,
        mayReadPending: signerOf(deps, caller) !== undefined,
        checkedAt: clock.now(),
        waiting: undefined,
      }
      const watched = add(stream)
      try {
        if (watched !== undefined) await readExpiring(userId, watched)
      } catch (error) {
        leave(stream)
        throw error
      }
      if (isOpen(stream)) send(READ_AGAIN.event)
      return () => void leave(stream)
    }),
    /** Ends every stream, and refuses further ones; for the shutdown of the process. @example countersign.events.end() */
    end: (): void => {
      hasEnded = true
      for (const { streams } of [...users.values()]) for (const stream of [...streams]) end(stream)
    },
    /** Returns the number of open streams. @example const streams = countersign.events.count() */
    count: (): number => count,
  }
}

export type LiveStreams = ReturnType<typeof liveStreams>
