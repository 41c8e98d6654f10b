import type { CreateTableBuilder, Kysely, RawBuilder } from 'kysely'

export interface Trigger {
  readonly name: string
  readonly table: string
  /** The column whose changes count; missing for a trigger on inserts. */
  readonly column?: string
  /** A further condition of an updated row; missing if every change of the column counts. */
  readonly condition?: RawBuilder<unknown>
  readonly statement: RawBuilder<unknown>
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
  /** Records which transaction wrote each row of `changes`. Does nothing if the rows have the order of their commits. */
  readChangesByTransaction(db: Kysely<unknown>): Promise<void>
  /**
   * Creates a trigger that runs a statement after each inserted row, or after each update that changes the column. The statement
   * and the condition call the row `new`.
   */
  createTrigger(db: Kysely<unknown>, trigger: Trigger): Promise<void>
  /** Leaves free space in each page of a table, so that an updated row fits in the page of its old version. */
  leaveRoomForUpdates(db: Kysely<unknown>, table: string): Promise<void>
  /** Creates the index for searches in `projects.searched_text`. */
  createSearchIndex(db: Kysely<unknown>): Promise<void>
}
