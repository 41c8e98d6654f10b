import type { LiveEvents } from '../events/index.ts'
import type { CallOptions } from '../http/call.ts'
import { isPassing } from '../http/send.ts'
import { hasCode } from '../shared/errors/countersign-error.ts'
import { DECISION_TIMEOUT, pause, requireOpen, within } from '../shared/time/deadline.ts'
import type { Milliseconds } from '../shared/time/units.ts'
import type { ApprovalSubject, Settled, State } from './subjects.ts'

/** The time between two requests: the first and the longest interval. Each interval is 1.5 times the interval before. */
const FIRST_INTERVAL: Milliseconds = 1000
const LONGEST_INTERVAL: Milliseconds = 5000

/** The pause between requests while live events arrive: no event says that a changed policy has ended an approval request. */
const LIVE_INTERVAL: Milliseconds = 60_000

/** Waits for the decision on a confirmation or an approval request. */
export type AwaitSettled = <S extends State>(
  subject: Pick<ApprovalSubject<never, S>, 'read'>,
  id: string,
  options?: CallOptions,
) => Promise<Settled<S>>

const isSettled = <S extends State>(state: S): state is Settled<S> => state.status !== 'pending'

/**
 * Asks for the status of a confirmation or an approval request until it is final: at each event about it, and otherwise at
 * intervals below the rate limit. A wait with a token of its own has no events. Passing errors do not end the wait. After a sleep
 * longer than the wait, the client asks once more, because somebody may have decided meanwhile.
 */
export const awaitSettled =
  (live: LiveEvents | undefined): AwaitSettled =>
  async (subject, id, given) => {
    const { signal, timeout = DECISION_TIMEOUT, ...options } = { ...given }
    const ask = (stop: AbortSignal | undefined) => subject.read(id, { ...options, signal: stop })
    const begun = Date.now()
    const asking = within(timeout, signal, async (stop) => {
      let news = new AbortController()
      const hear = () => news.abort()
      stop.addEventListener('abort', hear)
      const leave = live?.on((event) => {
        if (('id' in event ? event.id : id) === id) hear()
      })
      if (!live) hear()
      try {
        for (let interval = 0; ; ) {
          await pause(live?.isLive() && !options.token ? LIVE_INTERVAL : interval, news.signal).catch(() => {})
          requireOpen(stop)
          // Events that arrive during the request cause another request.
          news = new AbortController()
          interval = Math.min(interval * 1.5 || FIRST_INTERVAL, LONGEST_INTERVAL)
          try {
            const state = await ask(stop)
            if (isSettled(state)) return state
          } catch (error) {
            if (stop.aborted || !(isPassing(error) || hasCode(error, 'TIMEOUT'))) throw error
            await pause(Math.max(interval, (error.retryAfter ?? 0) * 1000), stop)
            hear()
          }
        }
      } finally {
        leave?.()
      }
    })
    return asking.catch(async (error: unknown) => {
      if (hasCode(error, 'TIMEOUT') && Date.now() - begun > timeout + LONGEST_INTERVAL) {
        const last = await ask(signal).catch(() => undefined)
        if (last && isSettled(last)) return last
      }
      throw error
    })
  }

/**
 * Waits for what this client asked for. If the signal aborts, the client withdraws it; a failure does not matter, as it expires.
 */
export const orWithdraw = async <T>(
  subject: Pick<ApprovalSubject, 'withdraw'>,
  id: string,
  { token, signal }: Pick<CallOptions, 'token' | 'signal'>,
  wait: () => Promise<T>,
): Promise<T> => {
  try {
    return await wait()
  } catch (error) {
    if (signal?.aborted) subject.withdraw(id, { token }).catch(() => {})
    throw error
  }
}
