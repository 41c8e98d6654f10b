import type { Milliseconds } from './clock.ts'

/** Runs work after the response of a request. The work handles its own errors. A host may bring an implementation of its own. */
export interface Background {
  /** Starts the work after `delay`. A server that stops starts delayed work immediately, so that nothing is lost. */
  run(work: () => Promise<void>, delay?: Milliseconds): void
}

export const nextTickBackground: Background = {
  run: (work, delay = 0) => {
    if (delay > 0) setTimeout(() => void work(), delay)
    else setImmediate(() => void work())
  },
}
