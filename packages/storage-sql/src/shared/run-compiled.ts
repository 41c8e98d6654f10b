import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Tables } from '../tables/index.ts'
import type { Statements } from './engine.ts'

type Result<O> = QueryResult<O> | Promise<QueryResult<O>>

/** Runs a compiled query, synchronously if the driver can. */
export type RunCompiled = (query: CompiledQuery) => Result<unknown>

const runners = new WeakMap<Kysely<Tables>, RunCompiled>()

/**
 * Makes `runCompiled` run queries on this database by a function, without Kysely's executor. For a driver that answers
 * synchronously, the executor takes longer than the statement (ADR 0004). Another driver sends several queries together (ADR 0021).
 */
export const runsBy = (db: Kysely<Tables>, run: RunCompiled): Kysely<Tables> => {
  runners.set(db, run)
  return db
}

/** Runs a compiled query: by the function of the database, or else by Kysely. */
export const runCompiled = <O>(db: Kysely<Tables>, query: CompiledQuery<O>): Result<O> => {
  const run = runners.get(db)
  return run === undefined ? db.executeQuery(query) : (run(query) as Result<O>)
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
