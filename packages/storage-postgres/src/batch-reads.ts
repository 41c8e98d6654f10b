import { createBatcher, type Waiting } from './batcher.ts'
import { isTimedOut } from './errors.ts'
import type { Answer, Answers, Statement } from './statements/send-batch.ts'

const MAX_BATCH = 16

/** A checked-out connection that sends several statements in one piece. */
export interface ReadConnection {
  /** Rejects if the connection is lost before anything is sent. */
  sendBatch(statements: readonly Statement[]): Promise<Answers>
  release(): void
}

/**
 * Returns a function that sends reads in batches. Each read gets its own answer or its own error.
 *
 * @param checkOut Waits for a connection.
 */
export const batchReads = (checkOut: () => Promise<ReadConnection>): ((statement: Statement) => Promise<Answer>) =>
  createBatcher({ checkOut, maxBatch: MAX_BATCH, send: answerEach })

/**
 * Answers each read of a batch. PostgreSQL skips the statements behind a failed one, so they are sent again. They are rejected
 * instead if the connection is lost or PostgreSQL stopped the failed statement for taking too long.
 */
const answerEach = async (connection: ReadConnection, batch: readonly Waiting<Statement, Answer>[]): Promise<void> => {
  let left = batch
  try {
    while (left.length > 0) {
      const { answers, failure } = await connection.sendBatch(left.map(({ request }) => request))
      for (const [index, answer] of answers.entries()) left[index]?.resolve(answer)
      if (failure !== undefined) left[answers.length]?.reject(failure.error)
      left = left.slice(answers.length + 1)
      // Every read of the batch has used up its time on the statement that PostgreSQL stopped.
      if (isTimedOut(failure?.error)) throw failure?.error
    }
  } catch (error) {
    for (const { reject } of left) reject(error)
  }
}
