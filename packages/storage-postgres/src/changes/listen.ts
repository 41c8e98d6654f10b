import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import type { Connector, ServerRun } from '../servers/connector.ts'
import { endClient } from '../servers/end-client.ts'
import { type Moment, thisMoment } from './elapsed.ts'

/** Milliseconds between two checks of the connection. */
const HEARTBEAT = 250
/** Milliseconds without an answer after which the connection is closed. */
const ANSWER_TIMEOUT = 1000
/** Milliseconds within which a notification of our own must arrive. */
const PROBE_TIMEOUT = 1000
const FIRST_PAUSE = 50
const LONGEST_PAUSE = 2000

/** The application name of the listening connection, as `pg_stat_activity` shows it. */
const LISTENER = 'countersign-listener'

/** The channel of the trigger in `migrations/notify-changes.ts`. */
const changesChannel = (schema: string): string => `${schema}_changes`
/** The channel on which a listener checks that notifications arrive. */
const probeChannel = (schema: string): string => `${schema}_listener_probe`

export interface ChangeListener {
  /** Receives a notification of changes. Notifications arrive in the order of commits. */
  onNotification(payload: string): void
  /** Reports that every change that was committed before `since` has arrived. */
  onConfirmed(since: Moment, run: ServerRun): void
  /** Reports that changes may be missed from now on. */
  onLost(): void
}

/** Keeps a connection that listens for changes, until aborted. Replaces a connection that breaks or does not answer. */
export const listen = async (
  servers: Connector,
  schema: string,
  listener: ChangeListener,
  signal: AbortSignal,
): Promise<void> => {
  let pause = FIRST_PAUSE
  const resettingPause: ChangeListener = {
    ...listener,
    onConfirmed: (since, run) => {
      pause = FIRST_PAUSE
      listener.onConfirmed(since, run)
    },
  }
  while (!signal.aborted) {
    try {
      await listenOnce(servers, schema, resettingPause, signal)
    } catch {
      // After any failure the next connection is tried. Meanwhile the feed is unsure, and callers ask the database.
    }
    listener.onLost()
    await setTimeout(pause * (0.5 + Math.random()), undefined, { signal }).catch(() => {})
    pause = Math.min(2 * pause, LONGEST_PAUSE)
  }
}

/** Listens on one connection for as long as the connection answers. */
const listenOnce = async (servers: Connector, schema: string, listener: ChangeListener, signal: AbortSignal): Promise<void> => {
  const { client, run } = await servers.connect({ application_name: LISTENER, query_timeout: ANSWER_TIMEOUT })
  const ended = new AbortController()
  client.once('end', () => {
    listener.onLost()
    ended.abort()
  })
  client.on('notification', ({ channel, payload = '' }) => {
    if (channel === changesChannel(schema)) listener.onNotification(payload)
  })
  const isOver = AbortSignal.any([signal, ended.signal])
  try {
    await client.query(`listen "${changesChannel(schema)}"; listen "${probeChannel(schema)}"`)
    await probeNotifications(servers, schema, client, isOver)
    while (!isOver.aborted && servers.run === run) {
      const since = thisMoment()
      // PostgreSQL sends pending notifications before an answer, so this answer confirms every change before `since`.
      await client.query('select')
      if (!isOver.aborted) listener.onConfirmed(since, run)
      await setTimeout(HEARTBEAT, undefined, { signal: isOver })
    }
  } finally {
    await endClient(client)
  }
}

/**
 * Checks that a notification from another connection arrives. A pooler in transaction mode answers statements, but may deliver
 * notifications to another client.
 */
const probeNotifications = async (
  servers: Connector,
  schema: string,
  listening: pg.Client,
  isOver: AbortSignal,
): Promise<void> => {
  const probe = randomUUID()
  const arrived = new Promise<void>((resolve, reject) => {
    const giveUp = () => reject(new Error('Notifications do not arrive on the connection that listens for them'))
    const within = AbortSignal.any([isOver, AbortSignal.timeout(PROBE_TIMEOUT)])
    if (within.aborted) giveUp()
    within.addEventListener('abort', giveUp)
    listening.on('notification', ({ channel, payload }) => {
      if (channel === probeChannel(schema) && payload === probe) resolve()
    })
  })
  // If the second connection fails first, no caller awaits this promise.
  arrived.catch(() => {})
  const { client: sender } = await servers.connect({ query_timeout: ANSWER_TIMEOUT })
  try {
    await Promise.all([sender.query('select pg_notify($1, $2)', [probeChannel(schema), probe]), arrived])
  } finally {
    await endClient(sender)
  }
}
