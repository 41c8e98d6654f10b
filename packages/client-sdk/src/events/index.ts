import type { LiveEvent } from '@countersign/contract'
import { currentFetch, type Fetch, type Route, toBaseUrl } from '../http/send.ts'
import { claimsOf } from '../session/claims.ts'
import { requireFunctions } from '../shared/errors/countersign-error.ts'
import { pause } from '../shared/time/deadline.ts'
import type { Milliseconds } from '../shared/time/units.ts'
import { readStream, type StreamEnd } from './read-stream.ts'
import { leadOrFollow, type SharedEvent } from './share-stream.ts'

export type { LiveEvent } from '@countersign/contract'

/** The time between two `read_again` while no stream is there, far below the rate limits. */
const POLL: Milliseconds = 5000
/** The time without news of the stream after which it counts as lost. The service sends a comment every 15 seconds. */
const LOST_AFTER: Milliseconds = 20_000
/** The time before the next attempt, at least and at most. Half of the wait is random, so that clients do not return together. */
const FIRST_WAIT: Milliseconds = 1000
const LONGEST_WAIT: Milliseconds = 30_000
/** The time before the next attempt behind a proxy that buffers, or at a service without streams. */
const HOPELESS_WAIT: Milliseconds = 300_000
/** The life of a stream after which the next attempt is the first again. A stream that a proxy closes early counts as a failure. */
const HEALTHY_LIFE: Milliseconds = 15_000

/** The options of `liveEvents`, which `createClient` passes. */
export interface LiveEventsOptions {
  /** The URL of the service, as for `createClient`. */
  readonly baseUrl: string
  /** A replacement of the platform's `fetch`. It must pass on the body of a response piece by piece. */
  readonly fetch?: Fetch
  /** Returns the access token of the user who is signed in; `undefined` for nobody. */
  accessToken(options: { readonly signal: AbortSignal }): Promise<string | undefined>
}

/** The live events of the user who is signed in. */
export interface LiveEvents {
  /**
   * Calls the listener with each event, until the returned function is called. `read_again` comes first, after every gap, and every
   * five seconds while no stream is possible: then read everything that you show. A page needs no polling of its own.
   */
  on(listener: (event: LiveEvent) => void): () => void
  /** Returns whether events arrive as they happen. If not, `read_again` comes every five seconds. */
  isLive(): boolean
}

/**
 * Follows what happens to the user of a client: the server-sent events of `GET /api/v1/auth/events`. The tabs of a session share a
 * stream. Pass this function to `createClient`: `createClient({ baseUrl, events: liveEvents })`.
 * @throws CountersignError `VALIDATION_ERROR` for an option with a wrong value
 */
export const liveEvents = ({ baseUrl: given, fetch = currentFetch, accessToken }: LiveEventsOptions): LiveEvents => {
  const baseUrl = toBaseUrl(given)
  requireFunctions('options', { fetch, accessToken }, 'fetch', 'accessToken')
  const route: Route = { baseUrl, fetch: (url, init) => fetch(new Request(url, init)) }
  const listeners = new Set<(event: LiveEvent) => void>()
  let running: AbortController | undefined
  let aliveAt = 0
  let isSignedIn = false

  const isLive = (): boolean => Date.now() - aliveAt < LOST_AFTER

  const emit = (event: LiveEvent): void => {
    // An error of a listener must not break the stream.
    for (const listener of [...listeners]) void Promise.resolve(event).then(listener)
  }

  const onShared = (shared: SharedEvent): void => {
    aliveAt = shared.type === 'lost' ? 0 : Date.now()
    if (shared.type !== 'lost' && shared.type !== 'alive') emit(shared)
  }

  const pollWhileLost = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      await pause(POLL, signal)
      if (isSignedIn && !isLive()) emit({ type: 'read_again' })
    }
  }

  /** Returns the time before the next attempt. `failures`: the streams since the last healthy one, without the present one. */
  const waitAfter = ({ isSilent, retryAfter = 0 }: StreamEnd, failures: number): Milliseconds => {
    if (isSilent && failures > 0) return HOPELESS_WAIT
    const growing = Math.min(FIRST_WAIT * 2 ** failures, LONGEST_WAIT) * (1 - Math.random() / 2)
    return Math.max(growing, retryAfter * 1000)
  }

  /** Reads one stream after another, for all tabs, while the session is the same. */
  const lead = async (session: string | undefined, signal: AbortSignal, share: (shared: SharedEvent) => void): Promise<void> => {
    for (let failures = 0; ; failures += 1) {
      const token = await accessToken({ signal })
      isSignedIn = token !== undefined
      if (token === undefined || claimsOf(token).session_id !== session) return
      let begunAt = Number.POSITIVE_INFINITY
      const end = await readStream(route, token, signal, {
        onAlive: () => {
          begunAt = Math.min(begunAt, Date.now())
          share({ type: 'alive' })
        },
        onEvent: share,
      })
      if (signal.aborted) return
      if (Date.now() - begunAt >= HEALTHY_LIFE) failures = 0
      // The next call of a page notices that the session has ended, and the client then says so.
      if (end.status === 401) share({ type: 'read_again' })
      share({ type: 'lost' })
      await pause(waitAfter(end, failures), signal)
    }
  }

  const follow = async (signal: AbortSignal): Promise<void> => {
    const token = await accessToken({ signal })
    isSignedIn = token !== undefined
    if (token === undefined) return
    const session = claimsOf(token).session_id
    await leadOrFollow(`countersign.events ${baseUrl} ${session}`, signal, onShared, (share) => lead(session, signal, share))
  }

  const run = async (signal: AbortSignal): Promise<void> => {
    pollWhileLost(signal).catch(() => {})
    while (!signal.aborted) {
      // After a lost connection, or if another user has signed in, the client itself tells the page to read again.
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

  return { on, isLive }
}
