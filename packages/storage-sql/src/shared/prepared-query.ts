import { createHash } from 'node:crypto'
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Tables } from '../tables/index.ts'
import type { Database, Statement } from './database.ts'
import type { RowLocks } from './row-locks.ts'
import { rowsWritten, runCompiled } from './run-compiled.ts'

/** The value of a placeholder. A list is not allowed, because a list changes the text of the statement. */
type Value = string | number | null

type Given<G> = { readonly [N in keyof G]: Value }

/** Returns a symbol for the name of each value. A symbol is never a value of a database. */
const placeholders = <G extends object>(): G => new Proxy({}, { get: (_, name) => Symbol(String(name)) }) as G

/** A query that a database may keep prepared. */
interface NamedQuery<O> extends CompiledQuery<O> {
  /** The name for this text, and for no other text, in every process. */
  readonly statementName: string
}

/** Returns the name of a prepared statement. `undefined` means that the query is not prepared. */
export const statementNameOf = (query: CompiledQuery): string | undefined =>
  'statementName' in query ? (query as NamedQuery<unknown>).statementName : undefined

const NAME_BYTES = 16

const named = <O>(query: CompiledQuery<O>): NamedQuery<O> => {
  const digest = createHash('sha256').update(query.sql).digest().subarray(0, NAME_BYTES)
  return { ...query, statementName: `prepared_${digest.toString('hex')}` }
}

/** Returns a value. A missing value throws, because one driver would send NULL, and another one would fail. */
const presentValue = (values: Readonly<Record<string, unknown>>, name: string): unknown => {
  const value = values[name]
  if (value === undefined) throw new Error(`A query was given no ${name}`)
  return value
}

interface Compiled<O> {
  readonly query: NamedQuery<O>
  /** The name of the value for each parameter. `undefined` for a parameter that is always the same. */
  readonly names: readonly (string | undefined)[]
}

/** A query that is compiled once for each database. Each call passes the values, by name. `T` is the record of a row. */
export interface PreparedQuery<G extends object, T> {
  all(database: Database, given: G): Promise<readonly T[]>
  /** Returns the first row, if there is one. */
  first(database: Database, given: G): Promise<T | undefined>
  /** Returns whether there is a row. */
  finds(database: Database, given: G): Promise<boolean>
  /** Writes, and returns the first row that the statement returns. */
  written(database: Database, given: G): Promise<T | undefined>
  /** Writes, and returns the number of rows that the query wrote or deleted. */
  affected(database: Database, given: G): Promise<number>
  /** Returns the statement with its values, for `Database.batch` and `Database.writeBatched`. */
  statement(given: G): Statement
}

/**
 * Creates a query that is built and compiled once, because compiling takes longer than running a small statement. See ADR 0018
 * and 0019.
 *
 * @param build Called once for each database, with placeholders instead of values. It may use them
 *   only in the place of a value: it must not read them, and must not put a list in their place.
 * @param toRecord Makes a record of a row. Without it, the rows are returned.
 */
export const preparedQuery = <G extends Given<G>, O, T = O>(
  build: (db: Kysely<Tables>, given: G, locks: RowLocks) => Compilable<O>,
  toRecord: (row: O) => T = (row) => row as unknown as T,
): PreparedQuery<G, T> => {
  /** The compiled queries, by Kysely's adapter, which all connections and transactions of a database share. */
  const compiled = new WeakMap<object, Compiled<O>>()

  const compiledFor = (db: Kysely<Tables>, locks: RowLocks): Compiled<O> => {
    const { adapter } = db.getExecutor()
    const known = compiled.get(adapter)
    if (known !== undefined) return known
    const query = named(build(db, placeholders<G>(), locks).compile())
    const names = query.parameters.map((value) => (typeof value === 'symbol' ? (value.description ?? '') : undefined))
    compiled.set(adapter, { query, names })
    return { query, names }
  }

  const filled = (db: Kysely<Tables>, given: G, locks: RowLocks): CompiledQuery<O> => {
    const { query, names } = compiledFor(db, locks)
    const values = given as Readonly<Record<string, unknown>>
    const parameters = names.map((name, at) => (name === undefined ? query.parameters[at] : presentValue(values, name)))
    return { ...query, parameters }
  }

  const rowsOf =
    ({ locks }: Database, given: G) =>
    async (db: Kysely<Tables>) =>
      (await runCompiled(db, filled(db, given, locks))).rows
  const recordOf = ([row]: readonly O[]): T | undefined => (row === undefined ? undefined : toRecord(row))

  return {
    all: async (database, given) => (await database.read(rowsOf(database, given))).map(toRecord),
    first: async (database, given) => recordOf(await database.read(rowsOf(database, given))),
    finds: async (database, given) => (await database.read(rowsOf(database, given))).length > 0,
    written: async (database, given) => recordOf(await database.write(rowsOf(database, given))),
    affected: (database, given) => database.write(async (db) => rowsWritten(db, filled(db, given, database.locks))),
    statement: (given) => (db, locks) => filled(db, given, locks),
  }
}

/** Returns the values of these columns for an insert. Placeholders cannot be enumerated, so the columns are named. */
export const rowOf = <G extends object, N extends keyof G>(given: G, columns: readonly N[]): Pick<G, N> =>
  Object.fromEntries(columns.map((column) => [column, given[column]])) as Pick<G, N>
