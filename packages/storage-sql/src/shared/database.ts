import {
  type CompiledQuery,
  type DeleteResult,
  type Expression,
  expressionBuilder,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
  type UpdateResult,
} from 'kysely'
import type { Tables } from '../tables/index.ts'
import type { CachedChange } from './change-feed.ts'
import type { BatchedWrite, TransactionOptions } from './engine.ts'
import type { RowLocks } from './row-locks.ts'

/** Runs a statement, or builds one, which is then executed. */
export type Query<T> = (db: Kysely<Tables>) => Promise<T> | { execute(): Promise<T> }

/** Builds a statement that may lock rows. No statement of a batch may depend on the answer to another one. */
export type Statement = (db: Kysely<Tables>, locks: RowLocks) => CompiledQuery

/** A source of reads: a database, a transaction or a snapshot. */
export interface Readable {
  /** Reads committed rows. Inside a transaction, also reads the transaction's own writes. */
  read<T>(query: Query<T>): Promise<T>
}

/** The database that the stores use: the whole database, or one transaction. */
export interface Database extends Readable {
  readonly locks: RowLocks
  /**
   * Reads one state of the database. Costs more than `read`, and only a few run at once. In a transaction, reads the transaction.
   */
  snapshot<T>(work: (snapshot: Readable) => Promise<T>): Promise<T>
  /** Runs one atomic statement. Resolves when the statement is durable. Inside a transaction, runs as a part of it. */
  write<T>(statement: Query<T>): Promise<T>
  /** Runs a prepared statement that may share its commit with others; see `Engine.writeBatched`. */
  writeBatched(write: { readonly key: BatchedWrite['key']; readonly statement: Statement }): Promise<number>
  /** Runs several statements in one transaction. Inside a transaction, runs as a part of it. */
  transaction<T>(work: (tx: Database) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Runs statements in one transaction and one round trip; see `Engine.batch`. Inside a transaction, runs as a part of it. */
  batch(statements: readonly Statement[]): Promise<readonly number[]>
  /** Reports changes to this process when the transaction ends, also if the transaction fails. */
  changed(changes: readonly CachedChange[]): void
}

/** The condition that a query finds no row. */
export const none = (query: Expression<unknown>): Expression<SqlBool> => {
  const the = expressionBuilder()
  return the.not(the.exists(query))
}

/** Reads the first row, if there is one, as a record. */
export const readFirst = async <R, T>(database: Readable, toRecord: (row: R) => T, query: Query<readonly R[]>) => {
  const [row] = await database.read(query)
  return row === undefined ? undefined : toRecord(row)
}

/** Reads the rows of a statement in SQL. */
export const readRows = async <R>(database: Readable, statement: RawBuilder<R>): Promise<readonly R[]> =>
  (await database.read((db) => statement.execute(db))).rows

/** Reads all rows as records. */
export const readAll = async <R, T>(database: Readable, toRecord: (row: R) => T, query: Query<readonly R[]>) =>
  (await database.read(query)).map((row) => toRecord(row))

/** Returns whether a query finds a row. */
export const finds = async (database: Readable, query: Query<readonly unknown[]>): Promise<boolean> =>
  (await database.read(query)).length > 0

/** Returns the number of rows that a query selects. */
export const countOf = async (
  database: Readable,
  rows: (db: Kysely<Tables>) => SelectQueryBuilder<Tables, never, object>,
): Promise<number> => {
  const counted = sql<number>`count(*)`.as('count')
  const { count } = await database.read((db) => rows(db).select(counted).executeTakeFirstOrThrow())
  return Number(count)
}

type Writing = (db: Kysely<Tables>) => { executeTakeFirstOrThrow(): Promise<UpdateResult | DeleteResult> }

/** Runs an update or a deletion. Returns the number of rows that it changed. */
export const countWritten = async (database: Database, statement: Writing): Promise<number> => {
  const result = await database.write((db) => statement(db).executeTakeFirstOrThrow())
  return Number('numUpdatedRows' in result ? result.numUpdatedRows : result.numDeletedRows)
}

/** Runs an update or a deletion. Returns whether it changed a row. */
export const didWrite = async (database: Database, statement: Writing): Promise<boolean> =>
  (await countWritten(database, statement)) > 0
