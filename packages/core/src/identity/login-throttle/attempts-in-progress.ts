/** Reports the end of an attempt, and whether the end frees the client to try again. */
export type EndAttempt = (frees: boolean) => void

/** The login attempts in progress in this process, by client of an account. */
export interface AttemptsInProgress {
  /** Returns whether an attempt is in progress. Its success may soon remove the delay of the client. */
  has(client: string): boolean
  /**
   * Begins an attempt if `ask` resolves to 0. An attempt in progress counts as a failure, so concurrent correct passwords would
   * block each other. A refused attempt therefore waits for the attempts in progress, and asks again once an attempt has freed
   * the client.
   *
   * @param ask Resolves to the delay of the client; 0 if the attempt may proceed.
   * @returns the function to call when the attempt ends, or the delay of the client
   */
  begin(client: string, ask: () => Promise<number>): Promise<EndAttempt | number>
}

interface ClientAttempts {
  count: number
  /** The number of attempts that freed the client. */
  freed: number
  /** Callbacks of the waiting attempts. Each checks whether its condition holds. */
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

export const attemptsInProgress = (): AttemptsInProgress => {
  const clients = new Map<string, ClientAttempts>()

  /**
   * Adds an attempt. An attempt that is still asking counts too, because the database may serve concurrent attempts in any order.
   */
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
    has: (client) => clients.has(client),

    begin: async (client, ask) => {
      for (;;) {
        const attempts = enter(client)
        const freedBefore = attempts.freed
        let wait = Number.POSITIVE_INFINITY
        try {
          wait = await ask()
        } finally {
          if (wait > 0) leave(client, attempts, false)
        }
        if (wait === 0) return (frees) => leave(client, attempts, frees)
        await untilEndedOrFreed(attempts, freedBefore)
        if (attempts.freed === freedBefore) return wait
      }
    },
  }
}
