/** Says how a try has come out: whether the client is freer to try than it was while nobody knew. */
export type EndOfTry = (frees: boolean) => void

/** The tries to log in that are under way in this process, by client of an account. */
export interface LoginTries {
  /** Whether any is under way, so that what stands against the client may be taken back in a moment. */
  areUnderWay(client: string): boolean
  /**
   * Begins a try where `ask` is answered with 0. Each try counts as a failure while it is under way, so right passwords that
   * come at once would be in each other's way: one that is refused waits for those that are under way, and asks again
   * once any of them has freed the client.
   *
   * @param ask Resolves to how long the client has to wait; 0 where the try may be made.
   * @returns what must be called when it is known how the try came out; else how long to wait
   */
  begin(client: string, ask: () => Promise<number>): Promise<EndOfTry | number>
}

interface UnderWay {
  count: number
  /** How often the client was freed. */
  freed: number
  /** Each looks whether what it waits for has come. */
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

  /** One more that may free the client; the one that asks is among them, as nobody knows whose turn the database takes first. */
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
