import type { CompiledQuery } from 'kysely'
import type { CheckedOut } from './connection.ts'
import { inBatches } from './in-batches.ts'

export interface Write {
  readonly query: CompiledQuery
  readonly key: string
}

export type WriteConnection = Pick<CheckedOut, 'executeQuery' | 'runTransaction' | 'release'>

const byKey = (one: Write, other: Write): number => (one.key < other.key ? -1 : Number(one.key > other.key))

const writeAll = async (connection: WriteConnection, queries: readonly CompiledQuery[]): Promise<readonly number[]> => {
  const [only, ...others] = queries
  if (only === undefined || others.length > 0) return connection.runTransaction(queries)
  return [Number((await connection.executeQuery(only)).numAffectedRows ?? 0n)]
}

/**
 * Returns a function that writes in batches. A batch is one transaction, so its writes share one commit, and no caller is answered
 * before that commit. A batch runs in the order of its keys, so two batches cannot deadlock. See ADR 0021.
 *
 * @param checkOut Waits for a connection.
 */
export const batchWrites = (checkOut: () => Promise<WriteConnection>): ((write: Write) => Promise<number>) =>
  inBatches(checkOut, async (connection, writes: readonly Write[]) => {
    const ordered = writes.toSorted(byKey)
    const queries = ordered.map(({ query }) => query)
    const rows = await writeAll(connection, queries)
    const written = new Map(ordered.map((write, index) => [write, rows[index] ?? 0]))
    return writes.map((write) => written.get(write) ?? 0)
  })
