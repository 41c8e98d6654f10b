import type { LiveEvent } from '@countersign/contract'
import type { SettledConfirmation } from '../approvals/await-settled.ts'
import type { Client } from '../client.ts'
import { currentFetch, toBaseUrl } from '../http/base-url.ts'
import type { CallOptions } from '../http/call.ts'
import { isPassing } from '../http/retry.ts'
import type { Fetch } from '../http/transfer.ts'
import { claimsOf } from '../session/claims.ts'
import { requireFunctions } from '../shared/errors/countersign-error.ts'
import { DECISION_TIMEOUT, pause, requireOpen, within } from '../shared/time/deadline.ts'
import { readStream, type StreamEnd } from './read-stream.ts'
import { leadOrFollow, type Told } from './share-stream.ts'

export type { LiveEvent } from '@countersign/contract'

/** Milliseconds between two `read_again` while no stream is there, far below the rate limits. */
const POLL = 5000
/** Milliseconds without news of the stream after which it counts as lost. The service sends a comment every 15 seconds. */
const LOST_AFTER = 20_000
/** Milliseconds before the next attempt, at least and at most. Half of the wait is random, so that clients return apart. */
const FIRST_WAIT = 1000
const LONGEST_WAIT = 30_000
/** Milliseconds before the next attempt behind a proxy that buffers, or at a service without streams. */
const HOPELESS_WAIT = 300_000

export interface LiveEventsOptions {
  /** The URL of the service, as for `createClient`. */
  readonly baseUrl: string
  /** A replacement of the platform's `fetch`. It must pass on the body of a response piece by piece. */
  readonly fetch?: Fetch
}

/** The live events of the user who is signed in. */
export interface LiveEvents {
  /**
   * Calls the listener with each event, until the returned function is called. After `read_again`, read everything that you show:
   * it comes first, after every gap, and every five seconds while no stream is possible, so a page needs no polling of its own.
   * The stream is open while there is a listener.
   */
  on(listener: (event: LiveEvent) => void): () => void
  /**
   * Waits for the decision on a confirmation, as `client.confirmations.settled` does, and learns of it at once.
   *
   * @param options `timeout` in milliseconds, ten minutes by default.
   */
  settled(confirmationId: string, options?: CallOptions): Promise<SettledConfirmation>
  /** Whether events arrive as they happen. If not, `read_again` comes every five seconds. */
  isLive(): boolean
}

/**
 * Follows what happens to the user of a client: the server-sent events of `GET /api/v1/auth/events`. The tabs of a browser with
 * the same session share one stream. After the end of a stream, the client opens another with a current token.
 *
 * @throws CountersignError `VALIDATION_ERROR` for an option with a wrong value
 *
 * @example
 * ```ts
 * const live = liveEvents(client, { baseUrl })
 * const stop = live.on(({ type }) => {
 *   if (type !== 'account') void showInbox()
 * })
 * ```
 */
export const liveEvents = (
  client: Pick<Client, 'accessToken' | 'confirmations'>,
  { baseUrl: given, fetch = currentFetch }: LiveEventsOptions,
): LiveEvents => {
  const baseUrl = toBaseUrl(given)
  requireFunctions('options', { fetch }, 'fetch')
  const listeners = new Set<(event: LiveEvent) => void>()
  let running: AbortController | undefined
  let aliveAt = 0
  let isSignedIn = false

  const isLive = (): boolean => Date.now() - aliveAt < LOST_AFTER

  const emit = (event: LiveEvent): void => {
    // An error of a listener must not break the stream.
    for (const listener of [...listeners]) void Promise.resolve(event).then(listener)
  }

  const onTold = (told: Told): void => {
    aliveAt = told.type === 'lost' ? 0 : Date.now()
    if (told.type !== 'lost' && told.type !== 'alive') emit(told)
  }

  const pollWhileLost = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      await pause(POLL, signal)
      if (isSignedIn && !isLive()) emit({ type: 'read_again' })
    }
  }

  /** Returns the milliseconds before the next attempt. `failures`: the attempts without an event since the last event. */
  const waitAfter = ({ reason, retryAfter = 0 }: StreamEnd, failures: number): number => {
    if (reason === 'silent' && failures > 0) return HOPELESS_WAIT
    const growing = Math.min(FIRST_WAIT * 2 ** failures, LONGEST_WAIT) * (1 - Math.random() / 2)
    return Math.max(growing, retryAfter * 1000 || 0)
  }

  /** Reads one stream after another, for all tabs, while the session is the same. */
  const lead = async (session: string | undefined, signal: AbortSignal, tell: (told: Told) => void): Promise<void> => {
    for (let failures = 0; ; failures += 1) {
      const token = await client.accessToken({ signal })
      isSignedIn = token !== undefined
      if (token === undefined || claimsOf(token).session_id !== session) return
      const end = await readStream({ baseUrl, fetch }, token, signal, {
        onAlive: () => {
          failures = 0
          tell({ type: 'alive' })
        },
        onEvent: tell,
      })
      if (signal.aborted) return
      // The next call of a page notices that the session has ended, and the client then says so.
      if (end.reason === 'unauthorized') tell({ type: 'read_again' })
      tell({ type: 'lost' })
      await pause(waitAfter(end, failures), signal)
    }
  }

  const follow = async (signal: AbortSignal): Promise<void> => {
    const token = await client.accessToken({ signal })
    isSignedIn = token !== undefined
    if (token === undefined) return
    const session = claimsOf(token).session_id
    await leadOrFollow(`countersign.events ${baseUrl} ${session}`, signal, onTold, (tell) => lead(session, signal, tell))
  }

  const run = async (signal: AbortSignal): Promise<void> => {
    pollWhileLost(signal).catch(() => {})
    while (!signal.aborted) {
      // A lost connection, or another user who signed in: the client tells the page itself.
      await follow(signal).catch(() => {})
      aliveAt = 0
      await pause(POLL, signal).catch(() => {})
    }
  }

  const on: LiveEvents['on'] = (listener) => {
    // Each listener is called separately, also if the same function listens twice.
    const own = (event: LiveEvent) => listener(event)
    listeners.add(own)
    if (running === undefined) {
      running = new AbortController()
      void run(running.signal)
    }
    void Promise.resolve<LiveEvent>({ type: 'read_again' }).then((event) => listeners.has(own) && own(event))
    return () => {
      listeners.delete(own)
      if (listeners.size > 0) return
      running?.abort()
      running = undefined
    }
  }

  const settled: LiveEvents['settled'] = (confirmationId, given = {}) => {
    const { signal, timeout = DECISION_TIMEOUT, ...options } = given
    return within(timeout, signal, async (stop) => {
      let hear: () => void = () => {}
      const nextNews = () =>
        new Promise<void>((resolve) => {
          hear = resolve
        })
      let news = nextNews()
      stop.addEventListener('abort', () => hear())
      const leave = on((event) => {
        if (event.type === 'read_again' || ('id' in event && event.id === confirmationId)) hear()
      })
      try {
        for (;;) {
          await news
          requireOpen(stop)
          // News that arrive during the question make another question.
          news = nextNews()
          try {
            const confirmation = await client.confirmations.status({ confirmationId }, { ...options, signal: stop })
            if (confirmation.status !== 'pending') return confirmation as SettledConfirmation
          } catch (error) {
            if (stop.aborted || !isPassing(error)) throw error
          }
        }
      } finally {
        leave()
      }
    })
  }

  return { on, settled, isLive }
}
