import { CountersignError } from '../errors/countersign-error.ts'
import { refusedInput } from '../errors/refused-input.ts'
import { after } from './timer.ts'

/** Some React Native runtimes abort without a reason. */
const reasonOf = (signal: AbortSignal): Error => {
  if (signal.reason !== undefined) return signal.reason as Error
  return Object.assign(new Error('Aborted'), { name: 'AbortError' })
}

/** @throws the signal's reason, where it has aborted; CountersignError `VALIDATION_ERROR` where it is no signal */
export const requireOpen = (signal: AbortSignal | undefined): void => {
  if (signal !== undefined && signal !== null && !signal.addEventListener) throw refusedInput('signal', 'must be an AbortSignal')
  if (signal?.aborted) throw reasonOf(signal)
}

/** @throws CountersignError `VALIDATION_ERROR` where that is no time limit */
export const requireTimeout = (timeout: number): void => {
  if (typeof timeout !== 'number' || !(timeout > 0)) throw refusedInput('timeout', 'must be above 0')
}

/** Runs something whose time does not count: what a person takes over a prompt is no delay of the service. */
export type Uncounted = <T>(run: () => T | Promise<T>) => Promise<T>

/**
 * Runs something for `timeout` milliseconds at most, or without an end where they are infinite, and until `signal` aborts.
 * What is run gets a signal of its own, which aborts in both cases; the promise rejects at once even where that signal is
 * not heeded.
 *
 * Neither `AbortSignal.timeout` nor `AbortSignal.any`: React Native has neither.
 *
 * @throws CountersignError `TIMEOUT`; `VALIDATION_ERROR` where the timeout is none; the signal's reason
 */
export const within = async <T>(
  timeout: number,
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
      left -= Date.now() - begun
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

/** Waits so many milliseconds. @throws the signal's reason, as soon as it aborts */
export const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) {
    let wake: () => void = () => {}
    const woken = new Promise<void>((resolve) => {
      wake = resolve
    })
    const end = after(milliseconds, wake)
    signal.addEventListener('abort', wake)
    await woken
    end()
    signal.removeEventListener('abort', wake)
  }
  requireOpen(signal)
}
