import { createHash } from 'node:crypto'
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { DialectFeatures } from './dialect-features.ts'
import { rowsWritten, runCompiled } from './run-compiled.ts'
import type { Tables } from './tables.ts'

/** What may stand for a placeholder: one value. A list would change the text of the statement. */
type Value = string | number | null

type Given<G> = { readonly [N in keyof G]: Value }

/** For each value that the query is given when it runs, a symbol of its name: no value of a database is one. */
const placeholders = <G extends object>(): G => new Proxy({}, { get: (_, name) => Symbol(String(name)) }) as G

/** A query that comes again and again, so that a database may keep it prepared. */
interface NamedQuery<O> extends CompiledQuery<O> {
  /** Of this text and no other, in any process. */
  readonly statementName: string
}

/** The name under which a database may keep the statement of a query prepared; `undefined` where it need not. */
export const statementNameOf = (query: CompiledQuery): string | undefined =>
  'statementName' in query ? (query as NamedQuery<unknown>).statementName : undefined

const NAME_BYTES = 16

const named = <O>(query: CompiledQuery<O>): NamedQuery<O> => {
  const digest = createHash('sha256').update(query.sql).digest().subarray(0, NAME_BYTES)
  return { ...query, statementName: `prepared_${digest.toString('hex')}` }
}

/** The features, for queries that need to know it. */
type Of = readonly [features?: DialectFeatures]

/** A value that is missing would be NULL to one driver and an error to another. */
const presentValue = (values: Readonly<Record<string, unknown>>, name: string): unknown => {
  const value = values[name]
  if (value === undefined) throw new Error(`A query was given no ${name}`)
  return value
}

interface Compiled<O> {
  readonly query: NamedQuery<O>
  /** For each parameter, the name of what stands for it; `undefined` where it is always the same. */
  readonly names: readonly (string | undefined)[]
}

/** A query that is built and compiled once for each database. It is given values, by name: parameters of the statement. */
export interface PreparedQuery<G extends object, O, F extends Of> {
  all(db: Kysely<Tables>, given: G, ...of: F): Promise<readonly O[]>
  /** The first row, if there is one. */
  first(db: Kysely<Tables>, given: G, ...of: F): Promise<O | undefined>
  /** The statement with its values, for `Database.batch` and `Database.writeBatched`. */
  statement(db: Kysely<Tables>, given: G, ...of: F): CompiledQuery<O>
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
export const preparedQuery = <G extends Given<G>, O, F extends Of = readonly []>(
  build: (db: Kysely<Tables>, given: G, ...of: F) => Compilable<O>,
): PreparedQuery<G, O, F> => {
  /** By adapter, which every connection and transaction of a database shares. */
  const compiled = new WeakMap<object, Compiled<O>>()

  const compiledFor = (db: Kysely<Tables>, of: F): Compiled<O> => {
    const { adapter } = db.getExecutor()
    const known = compiled.get(adapter)
    if (known !== undefined) return known
    const query = named(build(db, placeholders<G>(), ...of).compile())
    const names = query.parameters.map((value) => (typeof value === 'symbol' ? (value.description ?? '') : undefined))
    compiled.set(adapter, { query, names })
    return { query, names }
  }

  const filled = (db: Kysely<Tables>, given: G, of: F): CompiledQuery<O> => {
    const { query, names } = compiledFor(db, of)
    const values = given as Readonly<Record<string, unknown>>
    const parameters = names.map((name, at) => (name === undefined ? query.parameters[at] : presentValue(values, name)))
    return { ...query, parameters }
  }

  return {
    all: async (db, given, ...of) => (await runCompiled(db, filled(db, given, of))).rows,
    first: async (db, given, ...of) => (await runCompiled(db, filled(db, given, of))).rows[0],
    statement: (db, given, ...of) => filled(db, given, of),
    affected: async (db, given, ...of) => rowsWritten(db, filled(db, given, of)),
  }
}

/** A row of what a query is given, for an insertion: placeholders do not tell their names. */
export const rowOf = <G extends object, N extends keyof G>(given: G, columns: readonly N[]): Pick<G, N> =>
  Object.fromEntries(columns.map((column) => [column, given[column]])) as Pick<G, N>
