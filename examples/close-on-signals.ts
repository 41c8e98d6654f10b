interface Server {
  close(done: (error?: Error) => void): unknown
}

/** Resolves when a server accepts no more connections and has finished its responses. */
export const stopServing = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)))
  })

/** Runs these steps one after another on SIGTERM or SIGINT. The process then ends by itself. */
export const closeOnSignals = (...steps: readonly (() => Promise<unknown>)[]): void => {
  const close = async (): Promise<void> => {
    for (const step of steps) await step()
  }
  let isClosing = false
  const onSignal = (): void => {
    if (isClosing) return
    isClosing = true
    void close()
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
