import type { ConfirmationStatus, Output } from '@countersign/contract'
import type { Call, CallOptions } from '../http/call.ts'
import { isPassing } from '../http/retry.ts'
import { hasCode } from '../shared/errors/countersign-error.ts'
import { DECISION_TIMEOUT, pause, within } from '../shared/time/deadline.ts'

/** A confirmation with a final status. */
export type SettledConfirmation = Output<'confirmations.status'> & {
  readonly status: Exclude<ConfirmationStatus, 'pending'>
}

/** Milliseconds between two requests: the first and the longest interval. Each interval is 1.5 times the interval before. */
const FIRST_INTERVAL = 1000
const LONGEST_INTERVAL = 5000

const isSettled = (confirmation: Output<'confirmations.status'>): confirmation is SettledConfirmation =>
  confirmation.status !== 'pending'

/**
 * Asks for the status of a confirmation until the status is final. Passing errors, such as a lost connection, do not end the
 * wait. The intervals keep the requests below the rate limit of confirmations. After a sleep that was longer than the wait, the
 * client asks once more, because the person may have decided meanwhile.
 */
export const awaitSettled = async (call: Call, confirmationId: string, given?: CallOptions): Promise<SettledConfirmation> => {
  const { signal, timeout = DECISION_TIMEOUT, ...options } = { ...given }
  const ask = (stop: AbortSignal | undefined) => call('confirmations.status', { confirmationId }, { ...options, signal: stop })
  const begun = Date.now()
  const asking = within(timeout, signal, async (stop) => {
    for (let interval = FIRST_INTERVAL; ; interval = Math.min(interval * 1.5, LONGEST_INTERVAL)) {
      let wait = interval
      try {
        const confirmation = await ask(stop)
        if (isSettled(confirmation)) return confirmation
      } catch (error) {
        if (stop.aborted || !(isPassing(error) || hasCode(error, 'TIMEOUT'))) throw error
        wait = Math.max(interval, error.retryAfter === undefined ? 0 : error.retryAfter * 1000)
      }
      await pause(wait, stop)
    }
  })
  return asking.catch(async (error: unknown) => {
    const hasSlept = hasCode(error, 'TIMEOUT') && Date.now() - begun > timeout + LONGEST_INTERVAL
    const last = hasSlept ? await ask(signal).catch(() => undefined) : undefined
    if (last && isSettled(last)) return last
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
