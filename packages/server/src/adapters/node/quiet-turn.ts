/** Milliseconds. A turn of the event loop without any work is shorter. */
const SHORT = 0.05
/** Milliseconds after which no quiet turn is expected any more. */
const LONGEST_WAIT = 100

/**
 * Resolves right after a turn of the event loop in which no socket had work. At this moment the operating system has no connection
 * that waits for this process. Closing a listening socket would reset such a connection, and a proxy that has sent its request on
 * the connection must not repeat the request.
 */
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
