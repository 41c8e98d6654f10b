import { isGivenUp } from './errors.ts'
import { gather, type Waiting } from './gather.ts'
import type { Answer, Answers, Statement } from './statements/send-together.ts'

const MOST_TOGETHER = 16

/** A connection that is given out to send statements on. */
export interface SendingConnection {
  /** Rejects where the connection is lost before anything is sent. */
  sendTogether(statements: readonly Statement[]): Promise<Answers>
  release(): void
}

/**
 * Gathers reads that find few rows by a key. Each has its own answer, or its own error.
 *
 * @param checkOut Waits for a connection.
 */
export const gatherReads = (checkOut: () => Promise<SendingConnection>): ((statement: Statement) => Promise<Answer>) =>
  gather({ checkOut, most: MOST_TOGETHER, send: answer })

/**
 * What stands behind one that failed was not executed for no fault of its own, so it is sent again; unless the connection is
 * lost, or the server gave the failed one up for its time, which all of them then hear.
 */
const answer = async (connection: SendingConnection, waiting: readonly Waiting<Statement, Answer>[]): Promise<void> => {
  let left = waiting
  try {
    while (left.length > 0) {
      const { answers, failure } = await connection.sendTogether(left.map(({ asked }) => asked))
      for (const [index, one] of answers.entries()) left[index]?.resolve(one)
      if (failure !== undefined) left[answers.length]?.reject(failure.error)
      left = left.slice(answers.length + 1)
      // All of them have waited for what the server gave up, and there is no time to wait for as much again.
      if (isGivenUp(failure?.error)) throw failure?.error
    }
  } catch (error) {
    for (const { reject } of left) reject(error)
  }
}
