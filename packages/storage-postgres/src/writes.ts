import type { CompiledQuery } from 'kysely'
import type { CheckedOut } from './connection.ts'
import { isGivenUp, LostConnection } from './errors.ts'
import { gather, type Waiting } from './gather.ts'

const MOST_TOGETHER = 16

/** A statement that writes what it finds by a key. */
export interface Write {
  readonly query: CompiledQuery
  readonly key: string
}

/** A connection that is given out to write on. */
export type WritingConnection = Pick<CheckedOut, 'executeQuery' | 'transact' | 'release'>

/** Resolves with how many rows were written, once that is durable. */
type Writing = Waiting<Write, number>

const byKey = (one: Writing, other: Writing): number =>
  one.asked.key < other.asked.key ? -1 : Number(one.asked.key > other.asked.key)

const writeAll = async (connection: WritingConnection, queries: readonly CompiledQuery[]): Promise<readonly number[]> => {
  const [only, ...others] = queries
  if (only === undefined || others.length > 0) return connection.transact(queries)
  return [Number((await connection.executeQuery(only)).numAffectedRows ?? 0n)]
}

/**
 * Gathers writes into transactions: those of one are committed, and wait for the disk, once, and nobody is answered before
 * that. They are run in the order of their keys, so that no two transactions wait for each other.
 *
 * @param checkOut Waits for a connection.
 */
export const gatherWrites = (checkOut: () => Promise<WritingConnection>): ((write: Write) => Promise<number>) => {
  /** One that failed undid the others, for no fault of theirs: each is done again, none behind another. */
  const writeApart = async (one: Writing): Promise<void> => {
    try {
      const connection = await checkOut()
      await commit(connection, [one])
      connection.release()
    } catch (error) {
      one.reject(error)
    }
  }

  const commit = async (connection: WritingConnection, waiting: readonly Writing[]): Promise<void> => {
    const sent = waiting.toSorted(byKey)
    try {
      const written = await writeAll(
        connection,
        sent.map(({ asked }) => asked.query),
      )
      for (const [index, rows] of written.entries()) sent[index]?.resolve(rows)
    } catch (error) {
      // Where the connection was lost, it may have been committed; what the server gave up, all have waited for as long as they
      // may; and what was alone has failed by itself.
      const isFinal = error instanceof LostConnection || isGivenUp(error) || sent.length === 1
      for (const one of sent) {
        if (isFinal) one.reject(error)
        else void writeApart(one)
      }
    }
  }

  return gather({ checkOut, most: MOST_TOGETHER, send: commit })
}
