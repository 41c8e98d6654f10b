import type { StoredRow, StoredTable } from '@countersign/core/storage'
import type { CreateTableBuilder, Expression, Kysely, RawBuilder, SelectQueryBuilder, SqlBool } from 'kysely'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

/** Adds the clause that holds the selected rows until the transaction ends. */
export type RowLock = <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>) => SelectQueryBuilder<DB, TB, O>

/** Everything in which one database differs from another, as far as the queries and migrations know. */
export interface DialectFeatures {
  /** Adds a primary key that the database counts up and never gives twice. */
  readonly withCountedKey: <T extends string, C extends string, N extends string>(
    table: CreateTableBuilder<T, C>,
    name: N,
  ) => CreateTableBuilder<T, C | N>
  /** Keeps others from changing the rows, and from holding them for a change. */
  readonly lockForShare: RowLock
  /** Keeps others from holding the rows in any way. */
  readonly lockForUpdate: RowLock
  /** The type of a text that is sorted by its code points. */
  readonly sortedText: 'text' | RawBuilder<unknown>
  /** The projects, read along one of their indexes where the database can be told which. */
  readonly projectsByIndex: (index: string) => RawBuilder<unknown>
  /** Has the database tell of every row of `changes` as it is committed; nothing where a process can ask in a moment. */
  readonly notifyChanges: (db: Kysely<unknown>) => Promise<void>
  readonly search: SearchFeatures
  readonly dataMoves: DataMoveFeatures
}

/** A column of a table, as the database itself tells of it. */
export interface ColumnFact {
  readonly table: string
  readonly name: string
  /** In lower case; `double precision` and the like. */
  readonly type: string
  /** Its place in the primary key, from 1; 0 where it is no part of that. */
  readonly place: number
  /** Whether the database counts it up: 1 or 0. */
  readonly counted: number
}

/** How a database tells of its tables, and how it is filled with what another one held. */
export interface DataMoveFeatures {
  /** Which database it is: the same text however it was reached, and another one for every other database. */
  identity(db: Kysely<Tables>): Promise<string>
  /** Every column of every table. */
  columns(db: Kysely<Tables>): Promise<readonly ColumnFact[]>
  /** Which table has a foreign key to which. */
  references(db: Kysely<Tables>): Promise<readonly { readonly table: string; readonly referred: string }[]>
  /** Adds the rows as they are. */
  insert(db: Kysely<Tables>, table: StoredTable, rows: readonly StoredRow[]): Promise<void>
  /** The digits of the last number that was counted in the column, `0` where there was none. */
  lastCounted(db: Kysely<Tables>, table: string, column: string): Promise<string>
  /** Goes on counting after the number of these digits. */
  countFrom(db: Kysely<Tables>, table: string, column: string, last: string): Promise<void>
  /** Deletes every row of the tables. @param tables Each after those that it refers to. */
  empty(db: Kysely<Tables>, tables: readonly StoredTable[]): Promise<void>
  /** Makes the tables ready to take very many rows, before the first of them. */
  prepare(db: Kysely<Tables>): Promise<void>
  /** Makes what stands beside the rows, once all of them are there: indexes, what the planner knows of the tables. */
  complete(db: Kysely<Tables>, tables: readonly StoredTable[]): Promise<void>
}

/** How a database finds a text within texts. Conditions are on the table `projects`. */
export interface SearchFeatures {
  /** Makes the index of `projects.searched_text`. */
  create(db: Kysely<unknown>): Promise<void>
  /** Makes the index anew without what no search asks of it; nothing where it has only what is asked. It may take long. */
  slim(db: Kysely<unknown>): Promise<void>
  /** Makes what new rows wait in until they are put into the index together; nothing where the database does so by itself. */
  gather(db: Kysely<unknown>): Promise<void>
  /** Sees to it that searches find a new row; nothing where the database does so by itself. */
  added(tx: Database, seq: number, searchedText: string): Promise<void>
  /** Keeps the index at what a row now holds; nothing where the database does so by itself. */
  changed(tx: Database, seq: number, searchedText: string): Promise<void>
  /** Takes a row from the index that was removed; nothing where the database does so by itself. */
  removed(tx: Database, seq: number): Promise<void>
  /** Whether a row holds the needle, character by character; without help of the index, where it can be told. */
  has(needle: string): Expression<SqlBool>
  /**
   * A table of the `seq` of few rows, found by the index: those that have all of these `grams` of a needle. `undefined` where
   * the database chooses by itself how to find them.
   */
  found(grams: readonly string[]): RawBuilder<unknown> | undefined
}
