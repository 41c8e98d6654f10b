/** Milliseconds. A turn of the event loop without any work is shorter. */
const SHORT = 0.05
/** Milliseconds after which no quiet turn is expected any more. */
const LONGEST_WAIT = 100

/** Resolves after a turn of the event loop without work of sockets: closing would reset no connection that waits. */
export const quietTurn = (): Promise<void> =>
  new Promise((resolve) => {
    const until = performance.now() + LONGEST_WAIT
    let turnBegan = performance.now()
    const endTurn = (): void => {
      const now = performance.now()
      if (now - turnBegan < SHORT || now >= until) {
        resolve()
        return
      }
      turnBegan = performance.now()
      setImmediate(endTurn)
    }
    setImmediate(endTurn)
  })
