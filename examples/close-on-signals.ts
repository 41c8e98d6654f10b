interface Server {
  close(done: (error?: Error) => void): unknown
}

/** Resolves once a server takes no connection and has answered what it had taken. */
export const stopServing = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)))
  })

/** On SIGTERM or SIGINT takes these steps, one after another; then nothing is left, and the process ends. */
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
