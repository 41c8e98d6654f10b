import type { CreateTableBuilder, Expression, Kysely, RawBuilder, SelectQueryBuilder, SqlBool } from 'kysely'
import type { Database } from './database.ts'

/** Adds the clause that holds the selected rows until the transaction ends. */
export type RowLock = <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>) => SelectQueryBuilder<DB, TB, O>

/** Everything in which one database differs from another, as far as the queries and migrations know. */
export interface Flavour {
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
  readonly projectsAlong: (index: string) => RawBuilder<unknown>
  /** Has the database tell of every row of `changes` as it is committed; nothing where a process can ask in a moment. */
  readonly tellChanges: (db: Kysely<unknown>) => Promise<void>
  readonly search: SearchFlavour
}

/** How a database finds a text within texts. Conditions are on the table `projects`. */
export interface SearchFlavour {
  /** Makes the index of `projects.searched_text`. */
  create(db: Kysely<unknown>): Promise<void>
  /** Keeps the index at what the row now holds; nothing where the database does so by itself. */
  put(tx: Database, seq: number, searchedText: string): Promise<void>
  /** Takes a row from the index; nothing where the database does so by itself. */
  remove(tx: Database, seq: number): Promise<void>
  /** Whether a row holds the needle, character by character; without help of the index, where it can be told. */
  has(needle: string): Expression<SqlBool>
  /**
   * The same for few rows found by the index: those that have all of the needle's `grams`, which are among its rarest.
   * `undefined` where the database chooses by itself how to find them.
   */
  narrowed(grams: readonly string[]): Expression<SqlBool> | undefined
}
