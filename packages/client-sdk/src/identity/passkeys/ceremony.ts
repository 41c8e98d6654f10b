import { requireOpen } from '../../shared/time/deadline.ts'

/** Runs one passkey prompt of the browser. */
export type Ceremony = <T>(signal: AbortSignal | undefined, run: (signal: AbortSignal) => Promise<T>) => Promise<T>

/**
 * Makes a `Ceremony` that runs one prompt at a time, because browsers refuse a second one. A newer prompt ends the older one with
 * an `AbortError`, so a login that waits in an autofill list makes way for a button.
 */
export const oneAtATime = (): Ceremony => {
  let running: AbortController | undefined
  return async (signal, run) => {
    requireOpen(signal)
    running?.abort()
    const controller = new AbortController()
    running = controller
    const onAbort = () => controller.abort(signal?.reason)
    signal?.addEventListener('abort', onAbort)
    try {
      return await run(controller.signal)
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }
}
