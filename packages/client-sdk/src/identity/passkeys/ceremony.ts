import { requireOpen } from '../../shared/time/deadline.ts'

/** Has the browser make or give a passkey. */
export type Ceremony = <T>(signal: AbortSignal | undefined, run: (signal: AbortSignal) => Promise<T>) => Promise<T>

/**
 * Browsers run one ceremony at a time and refuse a second. Here the newer one ends the older, which is how a login that
 * waits in an autofill list makes way for a button. The older rejects with an `AbortError`.
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
