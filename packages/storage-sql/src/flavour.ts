import type { CreateTableBuilder, SelectQueryBuilder } from 'kysely'

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
}
