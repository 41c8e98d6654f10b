/** What waits to be sent, and who waits for it. */
export interface Waiting<Asked, Answer> {
  readonly asked: Asked
  resolve(answer: Answer): void
  reject(error: unknown): void
}

interface Gathering<Connection, Asked, Answer> {
  /** Waits for a connection. */
  readonly checkOut: () => Promise<Connection>
  /** As many share a connection and a round trip at most: those behind wait for those ahead. */
  readonly most: number
  /** Sends what was gathered, and answers each; never rejects. */
  readonly send: (connection: Connection, waiting: readonly Waiting<Asked, Answer>[]) => Promise<void>
}

/**
 * Gathers what comes in crowds: what is asked for in one turn of the event loop, and whatever comes while that waits for a
 * connection, goes to the server together.
 */
export const gather = <Connection extends { release(): void }, Asked, Answer>({
  checkOut,
  most,
  send,
}: Gathering<Connection, Asked, Answer>): ((asked: Asked) => Promise<Answer>) => {
  const waiting: Waiting<Asked, Answer>[] = []
  /** Connections that were asked for and are not there yet. */
  let coming = 0

  const serve = async (): Promise<void> => {
    let connection: Connection
    try {
      connection = await checkOut()
    } catch (error) {
      for (const { reject } of waiting.splice(0, most)) reject(error)
      return
    } finally {
      coming -= 1
    }
    await send(connection, waiting.splice(0, most))
    connection.release()
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject })
      if (waiting.length <= coming * most) return
      coming += 1
      setImmediate(() => void serve())
    })
}
