import type { ColumnDefinitionBuilder, CreateTableBuilder, RawBuilder } from 'kysely'

/** Adds the constraints that the words of a column name after its type. */
const constrained = (column: ColumnDefinitionBuilder, words: string): ColumnDefinitionBuilder => {
  const [, standard] = /\bdefault (\d+)/.exec(words) ?? []
  const [, target] = /\breferences (\S+)/.exec(words) ?? []
  let built = /\bnull\b/.test(words) ? column : column.notNull()
  if (words.includes('primary key')) built = built.primaryKey()
  if (words.includes('unique')) built = built.unique()
  if (standard !== undefined) built = built.defaultTo(Number(standard))
  if (target !== undefined) built = built.references(target)
  return words.includes('on delete cascade') ? built.onDelete('cascade') : built
}

type DataType = Parameters<CreateTableBuilder<string, string>['addColumn']>[1]

/**
 * Adds columns to a table, in the words of SQL: `email text unique, locked_at bigint null`. A column is not null unless its words
 * say `null`.
 *
 * @param sorted The type for the word `sorted`; see `MigrationDialect.sortedText`.
 */
export const addColumns = <T extends string, C extends string>(
  table: CreateTableBuilder<T, C>,
  columns: string,
  sorted: 'text' | RawBuilder<unknown> = 'text',
): CreateTableBuilder<T, string> => {
  const types: Readonly<Record<string, DataType>> = { sorted, double: 'double precision' }
  return columns.split(',').reduce<CreateTableBuilder<T, string>>((built, column) => {
    const [name = '', type = '', ...words] = column.trim().split(/\s+/)
    return built.addColumn(name, types[type] ?? (type as DataType), (defined) => constrained(defined, words.join(' ')))
  }, table)
}
