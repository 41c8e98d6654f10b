import { CountersignError } from '../errors/countersign-error.ts'

/** Some React Native runtimes abort without a reason. */
const reasonOf = (signal: AbortSignal): Error => {
  if (signal.reason !== undefined) return signal.reason as Error
  return Object.assign(new Error('Aborted'), { name: 'AbortError' })
}

/** @throws the signal's reason, where it has aborted */
export const requireOpen = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted) throw reasonOf(signal)
}

/**
 * Runs something for `timeout` milliseconds at most, and until `signal` aborts. What is run gets a signal of its own, which
 * aborts in both cases; the promise rejects at once even where that signal is not heeded.
 *
 * Neither `AbortSignal.timeout` nor `AbortSignal.any`: React Native has neither.
 *
 * @throws CountersignError `TIMEOUT`; the signal's reason
 */
export const within = async <T>(
  timeout: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController()
  let stop: (reason: Error) => void = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = (reason) => {
      controller.abort(reason)
      reject(reason)
    }
  })
  const onAbort = () => signal && stop(reasonOf(signal))
  const timer = setTimeout(() => stop(new CountersignError(`No answer within ${timeout} ms`, { code: 'TIMEOUT' })), timeout)
  try {
    requireOpen(signal)
    signal?.addEventListener('abort', onAbort)
    return await Promise.race([run(controller.signal), stopped])
  } finally {
    clearTimeout(timer)
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
    const timer = setTimeout(wake, milliseconds)
    signal.addEventListener('abort', wake)
    await woken
    clearTimeout(timer)
    signal.removeEventListener('abort', wake)
  }
  requireOpen(signal)
}
