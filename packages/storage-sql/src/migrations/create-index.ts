import { type CreateIndexBuilder, type Expression, type Kysely, type RawBuilder, sql } from 'kysely'

/** The rows of an index, and whether the index refuses equal rows. */
export interface IndexOptions {
  readonly unique?: boolean
  /** The condition of a partial index. Without it the index contains every row. */
  readonly where?: RawBuilder<unknown>
}

export const createIndex = async (
  db: Kysely<unknown>,
  table: string,
  name: string,
  columns: readonly (string | Expression<unknown>)[],
  { unique = false, where }: IndexOptions = {},
): Promise<void> => {
  const index = columns.reduce<CreateIndexBuilder>(
    (built, column) => (typeof column === 'string' ? built.column(column) : built.expression(column)),
    db.schema.createIndex(name).on(table),
  )
  const limited = where === undefined ? index : index.where(where as RawBuilder<boolean>)
  await (unique ? limited.unique() : limited).execute()
}

export const isNull = (column: string): IndexOptions => ({ where: sql`${sql.ref(column)} is null` })

export const isNotNull = (column: string): IndexOptions => ({ where: sql`${sql.ref(column)} is not null` })

export const isEqual = (column: string, value: string): IndexOptions => ({
  where: sql`${sql.ref(column)} = ${sql.lit(value)}`,
})
