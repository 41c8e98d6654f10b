import { isTimedOut, LostConnection } from './errors.ts'

const MAX_BATCH = 16
/** Milliseconds. A request for a connection that fails sooner was refused, as where nothing listens; it did not wait in vain. */
const AT_ONCE = 100

/** A call that waits for a connection. */
interface Waiting<I, O> {
  readonly input: I
  resolve(output: O): void
  reject(error: unknown): void
}

/**
 * Returns a function whose calls run in batches, each in one round trip. A batch has the calls of one event-loop tick, and those
 * that arrive while the batch waits for a connection. If a batch fails, each of its calls runs again alone. See ADR 0021.
 *
 * @param checkOut Waits for a connection.
 * @param run Returns one output for each input. If it rejects, nothing was done for any input, unless the connection was lost.
 */
export const inBatches = <C extends { release(): void }, I, O>(
  checkOut: () => Promise<C>,
  run: (connection: C, inputs: readonly I[]) => Promise<readonly O[]>,
): ((input: I) => Promise<O>) => {
  const waiting: Waiting<I, O>[] = []
  /** The number of connections that were requested and have not arrived. */
  let expectedConnections = 0

  const runAlone = async (call: Waiting<I, O>): Promise<void> => {
    try {
      const connection = await checkOut()
      await runTogether(connection, [call])
      connection.release()
    } catch (error) {
      call.reject(error)
    }
  }

  const runTogether = async (connection: C, calls: readonly Waiting<I, O>[]): Promise<void> => {
    try {
      const outputs = await run(
        connection,
        calls.map(({ input }) => input),
      )
      for (const [index, output] of outputs.entries()) calls[index]?.resolve(output)
    } catch (error) {
      // A lost connection may have committed. After a timeout every call of the batch has used up its time.
      const isFinal = error instanceof LostConnection || isTimedOut(error) || calls.length === 1
      for (const call of calls) {
        if (isFinal) call.reject(error)
        else void runAlone(call)
      }
    }
  }

  /** Takes the calls of the next batch: at most so many of the oldest. */
  const takeBatch = (most = MAX_BATCH) => waiting.splice(0, Math.min(most, MAX_BATCH))

  const runNext = async (): Promise<void> => {
    const newest = waiting.at(-1)
    const askedAt = performance.now()
    let connection: C
    try {
      connection = await checkOut()
    } catch (error) {
      expectedConnections -= 1
      // A later call gets a try of its own, because the database may be back. After a long wait it fails too: no call waits twice.
      const isAtOnce = performance.now() - askedAt < AT_ONCE
      const asked = newest === undefined ? 0 : waiting.indexOf(newest) + 1
      for (const { reject } of takeBatch(isAtOnce ? asked : MAX_BATCH)) reject(error)
      expectEnough()
      return
    }
    expectedConnections -= 1
    await runTogether(connection, takeBatch())
    connection.release()
  }

  /** Asks for a connection if more calls wait than the expected connections take. */
  const expectEnough = (): void => {
    if (waiting.length <= expectedConnections * MAX_BATCH) return
    expectedConnections += 1
    setImmediate(() => void runNext())
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      expectEnough()
    })
}
