interface Waiter {
  readonly begin: () => void
  timer: NodeJS.Timeout | undefined
}

/** Turns at something of which there is only so much. */
export interface Turns {
  /**
   * Resolves once it is the caller's turn, in the order in which they came. Waits for as long as those ahead get on, and
   * gives up where for `patience` milliseconds nobody did, or after `longest` in any case. @returns For how many milliseconds
   * of the wait, its last ones, nobody got on. @throws Error
   */
  take(): Promise<number>
  /** Ends a turn. @param gotOn Whether it came to something. */
  giveBack(gotOn: boolean): void
}

export const takeTurns = (
  atOnce: number,
  { patience, longest }: { readonly patience: number; readonly longest: number },
): Turns => {
  const waiting = new Set<Waiter>()
  let free = atOnce
  let gotOnAt = Number.NEGATIVE_INFINITY

  const wait = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const since = performance.now()
      const stalledSince = (): number => Math.max(since, gotOnAt)
      const waiter: Waiter = { begin: () => resolve(performance.now() - stalledSince()), timer: undefined }
      const look = () => {
        const left = Math.min(since + longest, stalledSince() + patience) - performance.now()
        if (left > 0) {
          waiter.timer = setTimeout(look, left)
          return
        }
        waiting.delete(waiter)
        reject(new Error('All connections to the database are in use'))
      }
      waiting.add(waiter)
      look()
    })

  return {
    take: async () => {
      if (free === 0) return wait()
      free -= 1
      return 0
    },
    giveBack: (gotOn) => {
      if (gotOn) gotOnAt = performance.now()
      const [next] = waiting
      if (next === undefined) {
        free += 1
        return
      }
      waiting.delete(next)
      clearTimeout(next.timer)
      next.begin()
    },
  }
}
