import type { CreateTableBuilder, Kysely, RawBuilder } from 'kysely'

/** The differences between databases that migrations depend on. Each adapter implements them in its own `migrations` folder. */
export interface MigrationDialect {
  /** Adds a primary key that the database counts up. The database never gives a number twice. */
  readonly withCountedKey: <T extends string, C extends string, N extends string>(
    table: CreateTableBuilder<T, C>,
    name: N,
  ) => CreateTableBuilder<T, C | N>
  /** The type of a text column that is sorted by code points. */
  readonly sortedText: 'text' | RawBuilder<unknown>
  /** Records which transaction wrote each row of `changes`. Does nothing if the rows have the order of their commits. */
  readChangesByTransaction(db: Kysely<unknown>): Promise<void>
  /** Leaves free space in each page of a table, so that an updated row finds room beside its old version. */
  leaveRoomForUpdates(db: Kysely<unknown>, table: string): Promise<void>
  /** Creates the index for searches in `projects.searched_text`. */
  createSearchIndex(db: Kysely<unknown>): Promise<void>
}
