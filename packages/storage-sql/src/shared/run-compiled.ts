import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Tables } from '../tables/index.ts'
import type { Statements } from './engine.ts'

/** Runs a compiled query synchronously. */
export type RunSync = (query: Pick<CompiledQuery, 'sql' | 'parameters'>) => QueryResult<unknown>

const synchronousDatabases = new WeakMap<Kysely<Tables>, RunSync>()

/**
 * Makes `runCompiled` run queries synchronously, without Kysely's executor, which takes longer than the statement. See ADR 0004.
 */
export const runsSynchronously = (db: Kysely<Tables>, run: RunSync): Kysely<Tables> => {
  synchronousDatabases.set(db, run)
  return db
}

/** Runs a compiled query: synchronously if the database can, else by Kysely. */
export const runCompiled = <O>(db: Kysely<Tables>, query: CompiledQuery<O>): QueryResult<O> | Promise<QueryResult<O>> => {
  const runSync = synchronousDatabases.get(db)
  return runSync === undefined ? db.executeQuery(query) : (runSync(query) as QueryResult<O>)
}

/** Runs a compiled query, and returns the number of rows that the query wrote or deleted. */
export const rowsWritten = async (db: Kysely<Tables>, query: CompiledQuery): Promise<number> =>
  Number((await runCompiled(db, query)).numAffectedRows ?? 0n)

/** Runs statements one after another, and returns the number of rows that each of them wrote. */
export const runInOrder = async (db: Kysely<Tables>, statements: Statements): Promise<readonly number[]> => {
  const written: number[] = []
  for (const statement of statements(db)) written.push(await rowsWritten(db, statement))
  return written
}
