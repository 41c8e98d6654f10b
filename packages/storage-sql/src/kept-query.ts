import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Flavour } from './flavour.ts'
import type { Tables } from './tables.ts'

/** For each value that the query is given when it runs, a symbol of its name: no value of a database is one. */
const placeholders = <G extends object>(): G => new Proxy({}, { get: (_, name) => Symbol(String(name)) }) as G

/** The flavour, for queries that need to know it. */
type Of = readonly [flavour?: Flavour]

/** A query that is built and compiled once for each database. It is given values, by name: parameters of the statement. */
export interface KeptQuery<G extends object, O, F extends Of> {
  all(db: Kysely<Tables>, given: G, ...of: F): Promise<readonly O[]>
  /** The first row, if there is one. */
  first(db: Kysely<Tables>, given: G, ...of: F): Promise<O | undefined>
  /** How many rows it wrote or removed. */
  affected(db: Kysely<Tables>, given: G, ...of: F): Promise<number>
}

/**
 * Keeps a query compiled: building and compiling it takes several times as long as SQLite takes to run it. It spared a fifth
 * of a refresh, a third of one whose rate is limited, and a seventh of a confirmation.
 *
 * @param build Is called once for each kind of database, with placeholders. It may put what it is given nowhere but where a
 *   value stands, so neither may it look at it nor put lists in the place of a value.
 */
export const keptQuery = <G extends object, O, F extends Of = readonly []>(
  build: (db: Kysely<Tables>, given: G, ...of: F) => Compilable<O>,
): KeptQuery<G, O, F> => {
  /** By adapter, which every connection and transaction of a database shares. */
  const compiled = new WeakMap<object, CompiledQuery<O>>()

  const compiledFor = (db: Kysely<Tables>, of: F): CompiledQuery<O> => {
    const { adapter } = db.getExecutor()
    const known = compiled.get(adapter)
    if (known !== undefined) return known
    const query = build(db, placeholders<G>(), ...of).compile()
    compiled.set(adapter, query)
    return query
  }

  const run = (db: Kysely<Tables>, given: G, of: F): Promise<QueryResult<O>> => {
    const query = compiledFor(db, of)
    const values = given as Readonly<Record<string, unknown>>
    const parameters = query.parameters.map((value) => (typeof value === 'symbol' ? values[value.description ?? ''] : value))
    return db.executeQuery({ ...query, parameters })
  }

  return {
    all: async (db, given, ...of) => (await run(db, given, of)).rows,
    first: async (db, given, ...of) => (await run(db, given, of)).rows[0],
    affected: async (db, given, ...of) => Number((await run(db, given, of)).numAffectedRows ?? 0n),
  }
}

/** A row of what a query is given, for an insertion: placeholders do not tell their names. */
export const rowOf = <G extends object, N extends keyof G>(given: G, columns: readonly N[]): Pick<G, N> =>
  Object.fromEntries(columns.map((column) => [column, given[column]])) as Pick<G, N>
