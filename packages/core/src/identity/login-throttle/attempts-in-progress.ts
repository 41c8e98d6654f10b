export interface BegunAttempt<R> {
  readonly reserved: R
  /** Reports the end of the attempt, and whether the end frees the client to try again. */
  readonly end: (frees: boolean) => void
}

interface ClientAttempts {
  count: number
  /** The number of attempts that freed the client. */
  freed: number
  /** Callbacks of the waiting attempts. Each checks whether its condition is true. */
  readonly waiting: Set<() => void>
}

const untilEndedOrFreed = (attempts: ClientAttempts, freedBefore: number): Promise<void> =>
  new Promise((resolve) => {
    const notify = () => {
      if (attempts.count > 0 && attempts.freed === freedBefore) return
      attempts.waiting.delete(notify)
      resolve()
    }
    attempts.waiting.add(notify)
    notify()
  })

/** The login attempts in progress in this process, by client of an account. */
export type AttemptsInProgress = ReturnType<typeof attemptsInProgress>

export const attemptsInProgress = () => {
  const clients = new Map<string, ClientAttempts>()

  /** Adds an attempt. One that is still reserving counts, because the database may serve concurrent attempts in any order. */
  const enter = (client: string): ClientAttempts => {
    const attempts = clients.get(client) ?? { count: 0, freed: 0, waiting: new Set() }
    clients.set(client, attempts)
    attempts.count += 1
    return attempts
  }

  const leave = (client: string, attempts: ClientAttempts, frees: boolean): void => {
    attempts.count -= 1
    if (frees) attempts.freed += 1
    if (attempts.count === 0) clients.delete(client)
    for (const notify of attempts.waiting) notify()
  }

  return {
    /** Returns whether an attempt is in progress. Its success may soon remove the delay of the client. */
    has: (client: string): boolean => clients.has(client),
    /**
     * Begins an attempt if `reserve` resolves to a reservation; otherwise returns the delay of the client in milliseconds. An
     * attempt in progress counts as a failure, so a refused one waits for those in progress, and tries again once one has freed
     * the client.
     */
    begin: async <R extends object>(client: string, reserve: () => Promise<R | number>): Promise<BegunAttempt<R> | number> => {
      for (;;) {
        const attempts = enter(client)
        const freedBefore = attempts.freed
        const reserved = await reserve().catch((error: unknown) => {
          leave(client, attempts, false)
          throw error
        })
        if (typeof reserved !== 'number') return { reserved, end: (frees) => leave(client, attempts, frees) }
        leave(client, attempts, false)
        await untilEndedOrFreed(attempts, freedBefore)
        if (attempts.freed === freedBefore) return reserved
      }
    },
  }
}
