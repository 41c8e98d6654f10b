/**
 * Runs work after the response of a request. The work handles its own errors. A host may bring its own implementation, for
 * example one that calls `ctx.waitUntil` of its platform.
 */
export interface Background {
  run(work: () => Promise<void>): void
}

/** Starts the work in a later turn of the event loop. */
export const nextTickBackground: Background = {
  run: (work) => {
    setImmediate(() => void work())
  },
}
