/** Reports the end of an attempt, and whether the end frees the client to try again. */
export type EndOfTry = (frees: boolean) => void

/** The login attempts in progress in this process, by client of an account. */
export interface LoginTries {
  /** Returns whether an attempt is in progress. Its success may soon remove the delay of the client. */
  areUnderWay(client: string): boolean
  /**
   * Begins an attempt if `ask` resolves to 0. An attempt in progress counts as a failure, so concurrent correct passwords would
   * block each other. A refused attempt therefore waits for the attempts in progress, and asks again once an attempt has freed
   * the client.
   *
   * @param ask Resolves to the delay of the client; 0 where the attempt may proceed.
   * @returns the function to call when the attempt ends, or the delay of the client
   */
  begin(client: string, ask: () => Promise<number>): Promise<EndOfTry | number>
}

interface UnderWay {
  count: number
  /** The number of attempts that freed the client. */
  freed: number
  /** Callbacks of the waiting attempts. Each checks whether its condition holds. */
  readonly waiting: Set<() => void>
}

const allOverOrOneFreed = (tries: UnderWay, freedBefore: number): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (tries.count > 0 && tries.freed === freedBefore) return
      tries.waiting.delete(look)
      resolve()
    }
    tries.waiting.add(look)
    look()
  })

export const loginTries = (): LoginTries => {
  const clients = new Map<string, UnderWay>()

  /**
   * Adds an attempt. An attempt that is still asking counts too, because the database may serve concurrent attempts in any
   * order.
   */
  const enter = (client: string): UnderWay => {
    const tries = clients.get(client) ?? { count: 0, freed: 0, waiting: new Set() }
    clients.set(client, tries)
    tries.count += 1
    return tries
  }

  const leave = (client: string, tries: UnderWay, frees: boolean): void => {
    tries.count -= 1
    if (frees) tries.freed += 1
    if (tries.count === 0) clients.delete(client)
    for (const look of tries.waiting) look()
  }

  return {
    areUnderWay: (client) => clients.has(client),

    begin: async (client, ask) => {
      for (;;) {
        const tries = enter(client)
        const freedBefore = tries.freed
        let wait = Number.POSITIVE_INFINITY
        try {
          wait = await ask()
        } finally {
          if (wait > 0) leave(client, tries, false)
        }
        if (wait === 0) return (frees) => leave(client, tries, frees)
        await allOverOrOneFreed(tries, freedBefore)
        if (tries.freed === freedBefore) return wait
      }
    },
  }
}
