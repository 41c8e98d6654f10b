/** Says how a try has come out: whether the account is freer to try than it was while nobody knew. */
export type EndOfTry = (frees: boolean) => void

/** The tries to log in that are under way in this process, by account. */
export interface LoginTries {
  /** Whether any is under way, so that what stands against the account may be taken back in a moment. */
  areUnderWay(account: string): boolean
  /**
   * Begins a try where `ask` is answered with 0. Each try counts as a failure while it is under way, so right passwords that
   * come at once would be in each other's way: one that is refused waits for those that are under way, and asks again
   * once any of them has freed the account.
   *
   * @param ask Resolves to how long the account has to wait; 0 where the try may be made.
   * @returns what must be called when it is known how the try came out; else how long to wait
   */
  begin(account: string, ask: () => Promise<number>): Promise<EndOfTry | number>
}

interface UnderWay {
  count: number
  /** How often the account was freed. */
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
  const accounts = new Map<string, UnderWay>()

  /** One more that may free the account; the one that asks is among them, as nobody knows whose turn the database takes first. */
  const enter = (account: string): UnderWay => {
    const tries = accounts.get(account) ?? { count: 0, freed: 0, waiting: new Set() }
    accounts.set(account, tries)
    tries.count += 1
    return tries
  }

  const leave = (account: string, tries: UnderWay, frees: boolean): void => {
    tries.count -= 1
    if (frees) tries.freed += 1
    if (tries.count === 0) accounts.delete(account)
    for (const look of tries.waiting) look()
  }

  return {
    areUnderWay: (account) => accounts.has(account),

    begin: async (account, ask) => {
      for (;;) {
        const tries = enter(account)
        const freedBefore = tries.freed
        let wait = Number.POSITIVE_INFINITY
        try {
          wait = await ask()
        } finally {
          if (wait > 0) leave(account, tries, false)
        }
        if (wait === 0) return (frees) => leave(account, tries, frees)
        await allOverOrOneFreed(tries, freedBefore)
        if (tries.freed === freedBefore) return wait
      }
    },
  }
}
