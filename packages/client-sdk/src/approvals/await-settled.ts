import type { ConfirmationStatus, Output } from '@countersign/contract'
import type { LiveEvents } from '../events/index.ts'
import type { Call, CallOptions } from '../http/call.ts'
import { isPassing } from '../http/send.ts'
import { hasCode } from '../shared/errors/countersign-error.ts'
import { DECISION_TIMEOUT, pause, requireOpen, within } from '../shared/time/deadline.ts'
import type { Milliseconds } from '../shared/time/units.ts'

/** A confirmation with a final status. */
export type SettledConfirmation = Output<'confirmations.status'> & {
  readonly status: Exclude<ConfirmationStatus, 'pending'>
}

/** The time between two requests: the first and the longest interval. Each interval is 1.5 times the interval before. */
const FIRST_INTERVAL: Milliseconds = 1000
const LONGEST_INTERVAL: Milliseconds = 5000

/** Waits for the decision on a confirmation. */
export type AwaitSettled = (confirmationId: string, options?: CallOptions) => Promise<SettledConfirmation>

/** The dependencies of methods that wait for a decision. */
export interface SettleDeps {
  readonly call: Call
  readonly settled: AwaitSettled
}

const isSettled = (confirmation: Output<'confirmations.status'>): confirmation is SettledConfirmation =>
  confirmation.status !== 'pending'

/**
 * Asks for the status of a confirmation until the status is final. While live events arrive, the client asks when an event names
 * the confirmation. Otherwise it asks at intervals, which keep the requests below the rate limit of confirmations. A stream has
 * the events of one session only, so a wait with a token of its own asks at intervals too.
 *
 * Passing errors, such as a lost connection, do not end the wait. After a sleep that was longer than the wait, the client asks once
 * more, because the person may have decided meanwhile.
 */
export const awaitSettled =
  (call: Call, live: LiveEvents | undefined): AwaitSettled =>
  async (confirmationId, given) => {
    const { signal, timeout = DECISION_TIMEOUT, ...options } = { ...given }
    const ask = (stop: AbortSignal | undefined) => call('confirmations.status', { confirmationId }, { ...options, signal: stop })
    const begun = Date.now()
    const asking = within(timeout, signal, async (stop) => {
      let news = new AbortController()
      const hear = () => news.abort()
      stop.addEventListener('abort', hear)
      const leave = live?.on((event) => {
        if (('id' in event ? event.id : confirmationId) === confirmationId) hear()
      })
      if (!live) hear()
      try {
        for (let interval = 0; ; ) {
          await pause(live?.isLive() && !options.token ? Infinity : interval, news.signal).catch(() => {})
          requireOpen(stop)
          // Events that arrive during the request cause another request.
          news = new AbortController()
          interval = Math.min(interval * 1.5 || FIRST_INTERVAL, LONGEST_INTERVAL)
          try {
            const confirmation = await ask(stop)
            if (isSettled(confirmation)) return confirmation
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
 * Runs the wait for a confirmation that this client requested. If the signal aborts, nobody waits for the decision, so the
 * confirmation is withdrawn. The caller does not wait for the withdrawal, and learns of no failure: the confirmation expires
 * anyway.
 */
export const orWithdraw = async <T>(
  call: Call,
  confirmationId: string,
  { token, signal }: Pick<CallOptions, 'token' | 'signal'>,
  wait: () => Promise<T>,
): Promise<T> => {
  try {
    return await wait()
  } catch (error) {
    if (signal?.aborted) call('confirmations.withdraw', { confirmationId }, { token }).catch(() => {})
    throw error
  }
}
