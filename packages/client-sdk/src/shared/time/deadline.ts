import { CountersignError, refusedInput } from '../errors/countersign-error.ts'
import type { Milliseconds } from './units.ts'

/** The longest time of a platform timer. A timer with a longer time fires immediately. */
const LONGEST_TIMER: Milliseconds = 2 ** 31 - 1

/** Runs a function after any time; never for `Infinity`. Returns a function that cancels the timer. */
export const after = (milliseconds: Milliseconds, run: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = (left: Milliseconds): void => {
    timer = setTimeout(() => (left > LONGEST_TIMER ? wait(left - LONGEST_TIMER) : run()), Math.min(left, LONGEST_TIMER))
  }
  if (milliseconds !== Infinity) wait(milliseconds)
  return () => clearTimeout(timer)
}

/** Returns the reason of an aborted signal. Some React Native runtimes abort without a reason. */
const reasonOf = (signal: AbortSignal): Error => {
  if (signal.reason !== undefined) return signal.reason as Error
  return Object.assign(new Error('Aborted'), { name: 'AbortError' })
}

/** Checks that the signal has not aborted. @throws the signal's reason; CountersignError `VALIDATION_ERROR` */
export const requireOpen = (signal: AbortSignal | undefined): void => {
  if (signal !== undefined && signal !== null && !signal.addEventListener) throw refusedInput('signal', 'must be an AbortSignal')
  if (signal?.aborted) throw reasonOf(signal)
}

/** Checks a time limit. @throws CountersignError `VALIDATION_ERROR` for a value that is not a positive number */
export const requireTimeout = (timeout: Milliseconds): void => {
  if (typeof timeout !== 'number' || !(timeout > 0)) throw refusedInput('timeout', 'must be above 0')
}

/** The time of a wait for a decision, by default. Longer than the default of `confirmationLifetime`, an option of the service. */
export const DECISION_TIMEOUT: Milliseconds = 600_000

/** Runs a function whose time does not count. The time of a prompt belongs to the person, not to the service. */
export type Uncounted = <T>(run: () => T | Promise<T>) => Promise<T>

/**
 * Runs a function for at most `timeout`, and until `signal` aborts. Its own signal aborts in both cases, and the promise rejects
 * even if the function ignores it. React Native has neither `AbortSignal.timeout` nor `AbortSignal.any`.
 * @throws CountersignError `TIMEOUT`; `VALIDATION_ERROR` for an invalid timeout; the signal's reason
 */
export const within = async <T>(
  timeout: Milliseconds,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal, uncounted: Uncounted) => Promise<T>,
): Promise<T> => {
  requireTimeout(timeout)
  requireOpen(signal)
  const controller = new AbortController()
  let stop: (reason: Error) => void = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = (reason) => {
      controller.abort(reason)
      reject(reason)
    }
  })
  const onAbort = () => signal && stop(reasonOf(signal))

  let left = timeout
  let halt: () => void = () => {}
  const count = (): void => {
    const begun = Date.now()
    const end = after(left, () => stop(new CountersignError(`No answer within ${timeout} ms`, { code: 'TIMEOUT' })))
    halt = () => {
      end()
      // A clock that was set back must not add time.
      left -= Math.max(0, Date.now() - begun)
    }
  }
  const uncounted: Uncounted = async (one) => {
    halt()
    try {
      return await one()
    } finally {
      if (!controller.signal.aborted) count()
    }
  }

  try {
    signal?.addEventListener('abort', onAbort)
    count()
    return await Promise.race([run(controller.signal, uncounted), stopped])
  } finally {
    halt()
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Waits for a time. @throws the signal's reason, as soon as the signal aborts */
export const pause = async (milliseconds: Milliseconds, signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        cancel()
        signal.removeEventListener('abort', wake)
        resolve()
      }
      const cancel = after(milliseconds, wake)
      signal.addEventListener('abort', wake)
    })
  }
  requireOpen(signal)
}
