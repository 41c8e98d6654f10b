import type { CreateTableBuilder, Kysely, RawBuilder } from 'kysely'

/** A primary key or a unique constraint, by its name, with its new columns. */
export interface ChangedKey {
  readonly table: string
  readonly name: string
  readonly kind: 'primary key' | 'unique'
  readonly columns: readonly string[]
}

/** The differences between databases that migrations depend on. Each adapter implements them in its own `migrations` folder. */
export interface MigrationDialect {
  /** Adds a primary key that the database counts up. The database never gives a number twice. */
  readonly withCountedKey: <T extends string, C extends string, N extends string>(
    table: CreateTableBuilder<T, C>,
    name: N,
  ) => CreateTableBuilder<T, C | N>
  /** The type of a text column that is sorted by code points. */
  readonly sortedText: 'text' | RawBuilder<unknown>
  /** Makes the database notify every process of each new row of `changes`. Does nothing if processes poll instead. */
  notifyChanges(db: Kysely<unknown>): Promise<void>
  /**
   * Makes the rows of `changes` readable by the transactions that wrote them, and limits the notifications of `notifyChanges` to
   * the rows that a server of the version before writes. Does nothing if the rows have the order of their commits.
   */
  readChangesByTransaction(db: Kysely<unknown>): Promise<void>
  /** Leaves free space in each page of a table, so that an updated row finds room beside its old version. */
  leaveRoomForUpdates(db: Kysely<unknown>, table: string): Promise<void>
  /** Changes the columns of a key. */
  changeKey(db: Kysely<unknown>, key: ChangedKey): Promise<void>
  /** Creates the index for searches in `projects.searched_text`. */
  createSearchIndex(db: Kysely<unknown>): Promise<void>
  /** Changes `projects.searched_text` where a condition holds, and the search index with it. */
  changeSearchedTexts(db: Kysely<unknown>, change: SearchedTextChange): Promise<void>
}

/** A change of `projects.searched_text`, as SQL over the columns of `projects`. */
export interface SearchedTextChange {
  readonly to: RawBuilder<string>
  readonly where: RawBuilder<unknown>
}
