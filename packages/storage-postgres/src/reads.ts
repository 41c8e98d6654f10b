import type { Answer, Answers, Statement } from './statements/send-together.ts'

/** Reads that share a connection and a round trip at most: those behind wait for those ahead. */
const MOST_TOGETHER = 16

interface Waiting {
  readonly statement: Statement
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** A connection that is given out to send reads on. */
export interface ReadConnection {
  /** Rejects where the connection is lost before anything is sent. */
  sendTogether(statements: readonly Statement[]): Promise<Answers>
  release(): void
}

/**
 * Gathers reads that find few rows by a key, and come in crowds: those that are asked for in one turn of the event loop, and
 * whatever comes while they wait for a connection, go to the server together. Each has its own answer, or its own error.
 *
 * @param checkOut Waits for a connection.
 */
export const gatherReads = (checkOut: () => Promise<ReadConnection>): ((statement: Statement) => Promise<Answer>) => {
  const waiting: Waiting[] = []
  /** Connections that were asked for and are not there yet. */
  let coming = 0

  const serve = async (): Promise<void> => {
    let connection: ReadConnection
    try {
      connection = await checkOut()
    } catch (error) {
      for (const { reject } of waiting.splice(0, MOST_TOGETHER)) reject(error)
      return
    } finally {
      coming -= 1
    }
    await answer(connection, waiting.splice(0, MOST_TOGETHER))
    connection.release()
  }

  return (statement) =>
    new Promise((resolve, reject) => {
      waiting.push({ statement, resolve, reject })
      if (waiting.length <= coming * MOST_TOGETHER) return
      coming += 1
      setImmediate(() => void serve())
    })
}

/**
 * What stands behind one that failed was not executed for no fault of its own, so it is sent again; unless the connection is
 * lost, which all of them then hear.
 */
const answer = async (connection: ReadConnection, asked: readonly Waiting[]): Promise<void> => {
  let left = asked
  try {
    while (left.length > 0) {
      const { answers, failure } = await connection.sendTogether(left.map(({ statement }) => statement))
      for (const [index, one] of answers.entries()) left[index]?.resolve(one)
      if (failure !== undefined) left[answers.length]?.reject(failure.error)
      left = left.slice(answers.length + 1)
    }
  } catch (error) {
    for (const { reject } of left) reject(error)
  }
}
