import type { CompiledQuery } from 'kysely'
import type { CheckedOut } from './connection.ts'
import { isTimedOut, LostConnection } from './errors.ts'

const MAX_BATCH = 16

/** A statement that writes the rows of one key. */
export interface Write {
  readonly query: CompiledQuery
  readonly key: string
}

export type WriteConnection = Pick<CheckedOut, 'executeQuery' | 'runTransaction' | 'release'>

/** A write that waits for a connection, with the promise of its caller. */
interface WaitingWrite {
  readonly request: Write
  /** Called with the number of written rows once they are durable. */
  resolve(rows: number): void
  reject(error: unknown): void
}

const byKey = (one: WaitingWrite, other: WaitingWrite): number =>
  one.request.key < other.request.key ? -1 : Number(one.request.key > other.request.key)

const writeAll = async (connection: WriteConnection, queries: readonly CompiledQuery[]): Promise<readonly number[]> => {
  const [only, ...others] = queries
  if (only === undefined || others.length > 0) return connection.runTransaction(queries)
  return [Number((await connection.executeQuery(only)).numAffectedRows ?? 0n)]
}

/**
 * Returns a function that writes in batches, one transaction each, of the writes that arrive until there is a connection. No caller
 * is answered before the commit. A batch runs in the order of its keys, so two batches cannot deadlock. See ADR 0021.
 */
export const batchWrites = (checkOut: () => Promise<WriteConnection>): ((write: Write) => Promise<number>) => {
  const waiting: WaitingWrite[] = []
  /** The number of connections that were requested and have not arrived. */
  let expectedConnections = 0

  /** Repeats a write on its own, after another write of its batch failed and rolled the batch back. */
  const writeAlone = async (write: WaitingWrite): Promise<void> => {
    try {
      const connection = await checkOut()
      await commit(connection, [write])
      connection.release()
    } catch (error) {
      write.reject(error)
    }
  }

  const commit = async (connection: WriteConnection, batch: readonly WaitingWrite[]): Promise<void> => {
    const sent = batch.toSorted(byKey)
    try {
      const written = await writeAll(
        connection,
        sent.map(({ request }) => request.query),
      )
      for (const [index, rows] of written.entries()) sent[index]?.resolve(rows)
    } catch (error) {
      // A lost connection may have committed. After a timeout every write of the batch has used up its time.
      const isFinal = error instanceof LostConnection || isTimedOut(error) || sent.length === 1
      for (const write of sent) {
        if (isFinal) write.reject(error)
        else void writeAlone(write)
      }
    }
  }

  const sendNext = async (): Promise<void> => {
    let connection: WriteConnection
    try {
      connection = await checkOut()
    } catch (error) {
      for (const { reject } of waiting.splice(0, MAX_BATCH)) reject(error)
      return
    } finally {
      expectedConnections -= 1
    }
    await commit(connection, waiting.splice(0, MAX_BATCH))
    connection.release()
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject })
      if (waiting.length <= expectedConnections * MAX_BATCH) return
      expectedConnections += 1
      setImmediate(() => void sendNext())
    })
}
