/** A request that waits for a connection, with the promise of its caller. */
export interface Waiting<Request, Answer> {
  readonly request: Request
  resolve(answer: Answer): void
  reject(error: unknown): void
}

interface BatcherOptions<Connection, Request, Answer> {
  /** Waits for a connection. */
  readonly checkOut: () => Promise<Connection>
  /** Limits how many requests share one connection and one round trip. */
  readonly maxBatch: number
  /** Sends a batch and settles each of its requests. Never rejects. */
  readonly send: (connection: Connection, batch: readonly Waiting<Request, Answer>[]) => Promise<void>
}

/**
 * Returns a function that sends requests in batches. A batch holds the requests of one event-loop tick, and those that arrive
 * while the batch waits for a connection. See ADR 0021.
 */
export const createBatcher = <Connection extends { release(): void }, Request, Answer>({
  checkOut,
  maxBatch,
  send,
}: BatcherOptions<Connection, Request, Answer>): ((request: Request) => Promise<Answer>) => {
  const waiting: Waiting<Request, Answer>[] = []
  /** Counts the connections that were asked for and have not arrived. */
  let expectedConnections = 0

  const sendNext = async (): Promise<void> => {
    let connection: Connection
    try {
      connection = await checkOut()
    } catch (error) {
      for (const { reject } of waiting.splice(0, maxBatch)) reject(error)
      return
    } finally {
      expectedConnections -= 1
    }
    await send(connection, waiting.splice(0, maxBatch))
    connection.release()
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject })
      if (waiting.length <= expectedConnections * maxBatch) return
      expectedConnections += 1
      setImmediate(() => void sendNext())
    })
}
