import type { StoredRow, StoredTable } from '@countersign/core/storage'
import type { Expression, Kysely, RawBuilder, SqlBool } from 'kysely'
import type { MigrationDialect } from '../migrations/migration-dialect.ts'
import type { Tables } from '../tables/index.ts'
import type { Database, Readable } from './database.ts'
import type { RowLocks } from './row-locks.ts'
import type { TablePlace } from './table-place.ts'

/** The differences between databases that queries and migrations depend on. */
export interface DialectFeatures extends RowLocks {
  readonly place: TablePlace
  /**
   * Takes the next `count` project numbers of a year in a transaction of its own, for which no other one waits. Returns the last
   * one. Missing if transactions run one after another.
   */
  readonly takeNumbers?: (database: Database, year: number, count: number) => Promise<number>
  /** Returns the table `projects` for a `from` clause. Names the index to use, if the database accepts such a hint. */
  readonly projectsByIndex: (index: string) => RawBuilder<unknown>
  readonly search: SearchFeatures
  readonly dataMoves: DataMoveFeatures
  readonly migrations: MigrationDialect
  /** Rejects with a sentence about what to grant, if the role cannot apply the migrations. Missing if a database has no roles. */
  readonly requireRights?: (db: Kysely<Tables>, pending: readonly string[]) => Promise<void>
}

/** A column as the catalog of the database describes it, under the table's name without a prefix. */
export interface ColumnFact {
  readonly table: string
  readonly name: string
  /** In lower case, such as `double precision`. */
  readonly type: string
  /** The position in the primary key, from 1. 0 for a column outside of the key. */
  readonly place: number
  /** 1 if the database counts the column up, else 0. */
  readonly counted: number
}

/** Reads the catalog of a database, and fills its tables with the rows of another database. */
export interface DataMoveFeatures {
  /** Returns a text that identifies the database, however it was reached. No two databases share one. */
  identity(db: Kysely<Tables>): Promise<string>
  columns(db: Kysely<Tables>): Promise<readonly ColumnFact[]>
  /** Returns which table has a foreign key to which other table. */
  references(db: Kysely<Tables>): Promise<readonly { readonly table: string; readonly referred: string }[]>
  /** Inserts the rows unchanged. */
  insert(db: Kysely<Tables>, table: StoredTable, rows: readonly StoredRow[]): Promise<void>
  /** Returns the digits of the last number that was counted in the column, or `0` if no number was counted yet. */
  lastCounted(db: Kysely<Tables>, table: string, column: string): Promise<string>
  /** Makes the column count on after the number of these digits. */
  countFrom(db: Kysely<Tables>, table: string, column: string, last: string): Promise<void>
  /** Deletes every row of the tables. @param tables Each table after the tables that it refers to. */
  empty(db: Kysely<Tables>, tables: readonly StoredTable[]): Promise<void>
  /** Lets nobody else read or write the tables until the transaction ends, however long it takes. */
  hold(tx: Kysely<Tables>, tables: readonly StoredTable[]): Promise<void>
  /** Drops our triggers, which would report each copied row, and indexes that are quicker to build at the end. Returns them. */
  dropDerived(tx: Kysely<Tables>): Promise<readonly string[]>
  /** Creates the dropped triggers and indexes, the search index and the statistics of the planner. Called after the last row. */
  complete(tx: Kysely<Tables>, tables: readonly StoredTable[], dropped: readonly string[]): Promise<void>
}

/** The projects that an index finds for a text, as tables with the column `seq`. Not all of them contain the text. */
export interface SearchCandidates {
  readonly all: RawBuilder<unknown>
  /** Up to `limit` projects after a `seq`, the lowest first. */
  after(seq: number, limit: number): RawBuilder<unknown>
}

/** Finds texts within `projects.searched_text`. The methods for rows do nothing if the database maintains its index itself. */
export interface SearchFeatures {
  added(tx: Database, seq: number, searchedText: string): Promise<void>
  changed(tx: Database, seq: number, searchedText: string): Promise<void>
  removed(tx: Database, seq: number): Promise<void>
  /** Returns the condition that the searched text contains the needle, character by character. */
  contains(needle: string): Expression<SqlBool>
  /** Returns the projects that may contain a needle of at least three characters; `undefined` if the database chooses the index. */
  candidates(database: Readable, needle: string): Promise<SearchCandidates | undefined>
}
