/**
 * Runs work after the answer to the request that asked for it. The work handles its own failures.
 * A host gives its own where the platform has one (for example `ctx.waitUntil`).
 */
export interface Background {
  run(work: () => Promise<void>): void
}

export const nextTickBackground: Background = {
  run: (work) => {
    setImmediate(() => void work())
  },
}
