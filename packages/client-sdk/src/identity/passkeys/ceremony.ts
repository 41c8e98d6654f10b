import { requireOpen } from '../../shared/time/deadline.ts'

/** Runs one passkey prompt of the browser. */
export type Ceremony = <T>(signal: AbortSignal | undefined, run: (signal: AbortSignal) => Promise<T>) => Promise<T>

/** Runs one prompt at a time, as browsers do. A newer one ends the older, such as an autofill list, with an `AbortError`. */
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
