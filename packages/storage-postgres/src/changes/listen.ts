import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import type { Change } from '@countersign/storage-sql'
import { endOfLife } from '../connection-settings.ts'
import type { Connector, ServerRun } from '../servers/connector.ts'
import { endClient } from '../servers/end-client.ts'
import { readChanges, type Snapshot } from './read-changes.ts'

/** Milliseconds between two reads without an announcement. */
const HEARTBEAT = 250
/** Milliseconds between two reads while live streams wait. */
const WATCHED_HEARTBEAT = 40
/** Milliseconds between two reads with announcements. All changes of this time are read, and announced, together. */
const SHORTEST_PAUSE = 10
/** Milliseconds without an answer after which the connection is closed. */
const ANSWER_TIMEOUT = 1000
/** Milliseconds after which rows of `changes` may have been swept unread, for example because the machine slept. */
const LONGEST_GAP = 600_000
const FIRST_RETRY = 50
const LONGEST_RETRY = 2000

/** The application name of the listening connection, as `pg_stat_activity` shows it. */
const LISTENER = 'countersign-listener'

/** The channel of announcements. It is named after the schema, because channels belong to the whole database. */
const changesChannel = (schema: string): string => `${schema}_changes`

export interface ChangeListener {
  /** Receives every change that was committed between the read before and `since`. */
  onRead(changes: readonly Change[] | 'unknown', since: Moment, run: ServerRun): void
  onLost(): void
}

export interface ListenerOptions {
  readonly schema: string
  readonly maxAge: number
}

/** Creates a listener, which also reads the changes at each heartbeat: a process may die between commit and announcement. */
export const createListener = (
  servers: Connector,
  { schema, maxAge }: ListenerOptions,
  listener: ChangeListener,
  signal: AbortSignal,
) => {
  /** Distinguishes the announcements of this process from others. */
  const self = randomUUID()
  const channel = changesChannel(schema)
  let isAnnouncing = false
  let heartbeat = HEARTBEAT
  let wake = new AbortController()

  /** Reads on one connection for as long as the connection answers and is not too old. */
  const listenOnce = async (onAnswer: () => void): Promise<void> => {
    const { client, run } = await servers.connect({ application_name: LISTENER, query_timeout: ANSWER_TIMEOUT })
    const endsAt = endOfLife(maxAge)
    const ended = new AbortController()
    client.once('end', () => {
      listener.onLost()
      ended.abort()
    })
    client.on('notification', (notification) => {
      if (notification.channel === channel && notification.payload !== self) wake.abort()
    })
    const isOver = AbortSignal.any([signal, ended.signal])
    let last: { readonly snapshot: Snapshot; readonly at: Moment } | undefined
    try {
      await client.query(`listen "${channel}"`)
      while (!isOver.aborted && servers.run === run && performance.now() < endsAt) {
        // An announcement that arrives from here on may be of a later commit, so it makes another read.
        wake = new AbortController()
        if (isAnnouncing) {
          isAnnouncing = false
          await client.query('select pg_notify($1, $2)', [channel, self])
        }
        const at = thisMoment()
        if (last !== undefined && elapsedSince(last.at) > LONGEST_GAP) last = undefined
        const { snapshot, changes } = await readChanges(client, schema, last?.snapshot)
        last = { snapshot, at }
        if (!isOver.aborted) {
          listener.onRead(changes, at, run)
          onAnswer()
        }
        await setTimeout(SHORTEST_PAUSE, undefined, { signal: isOver })
        const isAwake = AbortSignal.any([isOver, wake.signal])
        await setTimeout(heartbeat - SHORTEST_PAUSE, undefined, { signal: isAwake }).catch(() => {})
      }
    } finally {
      await endClient(client)
    }
  }

  return {
    /** Wakes the other processes soon. Announcements of a short time are sent as one. */
    announce: (): void => {
      isAnnouncing = true
      wake.abort()
    },
    watched: (isWatched: boolean): void => {
      heartbeat = isWatched ? WATCHED_HEARTBEAT : HEARTBEAT
    },
    /** Keeps a connection that reads changes, until aborted. Replaces a connection that breaks or does not answer. */
    listen: async (): Promise<void> => {
      let retry = FIRST_RETRY
      while (!signal.aborted) {
        try {
          await listenOnce(() => {
            retry = FIRST_RETRY
          })
        } catch {
          // After any failure the next connection is tried. Meanwhile the feed is unsure, and callers ask the database.
        }
        listener.onLost()
        await setTimeout(retry * (0.5 + Math.random()), undefined, { signal }).catch(() => {})
        retry = Math.min(2 * retry, LONGEST_RETRY)
      }
    },
  }
}

/** A moment by two clocks. The steady clock stops while the machine sleeps. The wall clock can be set. */
export interface Moment {
  readonly steady: number
  readonly wall: number
}

const thisMoment = (): Moment => ({ steady: performance.now(), wall: Date.now() })

/** Returns the milliseconds since a moment, by the clock that shows more. */
export const elapsedSince = ({ steady, wall }: Moment): number =>
  Math.max(performance.now() - steady, Math.abs(Date.now() - wall))
