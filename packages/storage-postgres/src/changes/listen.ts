import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import type { Connector, ServerRun } from '../servers/connector.ts'
import { endClient } from '../servers/end-client.ts'

/** Milliseconds. */
const BEAT = 250
/** After this long without an answer the connection is given up. */
const ANSWER_TIMEOUT = 1000
/** How long a notification of our own may be on its way. */
const PROOF_TIMEOUT = 1000
const FIRST_PAUSE = 50
const LONGEST_PAUSE = 2000

/** By which the listening connection is known among those of the server. */
const LISTENER = 'countersign-listener'
/** The channel of the trigger in `migrations/notify-changes.ts`. */
const CHANGES_CHANNEL = 'countersign_changes'
/** Where a listener shows that it hears what other connections say. */
const PROOF_CHANNEL = 'countersign_proof'

export interface ChangeListener {
  /** A notification of changes, in the order of commits. */
  heard(payload: string): void
  /** Everything that was committed before `since` has been heard of. */
  confirmed(since: Moment, run: ServerRun): void
  /** From here on, something may be missed. */
  lost(): void
}

/** A moment by both clocks: one of them stands still while the machine sleeps, the other one can be set. */
export interface Moment {
  readonly steady: number
  readonly wall: number
}

const thisMoment = (): Moment => ({ steady: performance.now(), wall: Date.now() })

/** Milliseconds since then, by the clock that says more. */
export const elapsedSince = ({ steady, wall }: Moment): number =>
  Math.max(performance.now() - steady, Math.abs(Date.now() - wall))

/**
 * Keeps a connection on which the server tells of changes, until aborted. Whenever it breaks, or stays without an answer,
 * another one takes its place.
 */
export const listen = async (servers: Connector, listener: ChangeListener, signal: AbortSignal): Promise<void> => {
  let pause = FIRST_PAUSE
  while (!signal.aborted) {
    try {
      await follow(
        servers,
        {
          ...listener,
          confirmed: (since, run) => {
            pause = FIRST_PAUSE
            listener.confirmed(since, run)
          },
        },
        signal,
      )
    } catch {
      // Whatever it was, the answer is another connection; who is not sure of its news asks the database meanwhile.
    }
    listener.lost()
    await setTimeout(pause * (0.5 + Math.random()), undefined, { signal }).catch(() => {})
    pause = Math.min(2 * pause, LONGEST_PAUSE)
  }
}

/** Listens on one connection, for as long as it answers. */
const follow = async (servers: Connector, listener: ChangeListener, signal: AbortSignal): Promise<void> => {
  const { client, run } = await servers.connect({ application_name: LISTENER, query_timeout: ANSWER_TIMEOUT })
  const ended = new AbortController()
  client.once('end', () => {
    listener.lost()
    ended.abort()
  })
  client.on('notification', ({ channel, payload = '' }) => {
    if (channel === CHANGES_CHANNEL) listener.heard(payload)
  })
  const isOver = AbortSignal.any([signal, ended.signal])
  try {
    await client.query(`listen ${CHANGES_CHANNEL}; listen ${PROOF_CHANNEL}`)
    await proveThatItHears(servers, client, isOver)
    while (!isOver.aborted && servers.run === run) {
      const since = thisMoment()
      // An answer says that all is heard of that was committed before: notifications of it are sent ahead.
      await client.query('select')
      if (!isOver.aborted) listener.confirmed(since, run)
      await setTimeout(BEAT, undefined, { signal: isOver })
    }
  } finally {
    await endClient(client)
  }
}

/**
 * A pooler between here and the server may answer for a connection that it gave to somebody else, to whom the news then
 * goes. So what another connection says must arrive without being asked for.
 */
const proveThatItHears = async (servers: Connector, listener: pg.Client, isOver: AbortSignal): Promise<void> => {
  const proof = randomUUID()
  const heard = new Promise<void>((resolve, reject) => {
    const giveUp = () => reject(new Error('Notifications do not arrive on the connection that listens for them'))
    const within = AbortSignal.any([isOver, AbortSignal.timeout(PROOF_TIMEOUT)])
    if (within.aborted) giveUp()
    within.addEventListener('abort', giveUp)
    listener.on('notification', ({ channel, payload }) => {
      if (channel === PROOF_CHANNEL && payload === proof) resolve()
    })
  })
  // Whoever cannot speak does not wait for what is heard.
  heard.catch(() => {})
  const { client: speaker } = await servers.connect({ query_timeout: ANSWER_TIMEOUT })
  try {
    await Promise.all([speaker.query('select pg_notify($1, $2)', [PROOF_CHANNEL, proof]), heard])
  } finally {
    await endClient(speaker)
  }
}
