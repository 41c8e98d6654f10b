import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { MigrationDialect } from './migration-dialect.ts'

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

type Table = CreateTableBuilder<string, string>
type DataType = Parameters<Table['addColumn']>[1]

/** The constraints of a table, which are named after it: `primary key (a, b)`, `unique (a, b)` and `check column >= 0`. */
const withConstraint = (table: Table, name: string, words: string): Table | undefined => {
  const [, kind, list] = /^(primary key|unique) \((.+)\)$/.exec(words) ?? []
  const columns = list?.split(', ')
  if (columns !== undefined && kind === 'primary key') return table.addPrimaryKeyConstraint(`${name}_key`, columns)
  if (columns !== undefined) return table.addUniqueConstraint(`${name}_${columns.at(-1)}`, columns)
  const [, column = ''] = /^check (\w+) >= 0$/.exec(words) ?? []
  return column === '' ? undefined : table.addCheckConstraint(`${name}_${column}`, sql`${sql.ref(column)} >= 0`)
}

/**
 * Returns the function that creates a table with columns and constraints in the words of SQL: `email text unique, locked_at bigint
 * null`. A column is not null unless its words say `null`. Its type may also be `counted` (see `MigrationDialect.withCountedKey`),
 * `sorted` (`MigrationDialect.sortedText`) or `double`.
 */
export const tableCreator =
  (db: Kysely<unknown>, { withCountedKey, sortedText }: MigrationDialect) =>
  (name: string) =>
  async ([columns]: TemplateStringsArray): Promise<void> => {
    const types: Readonly<Record<string, DataType>> = { sorted: sortedText, double: 'double precision' }
    const add = (table: Table, words: string): Table => {
      const [column = '', type = '', ...rest] = words.split(/\s+/)
      if (type === 'counted') return withCountedKey(table, column)
      return (
        withConstraint(table, name, words) ??
        table.addColumn(column, types[type] ?? (type as DataType), (built) => constrained(built, rest.join(' ')))
      )
    }
    const words = (columns ?? '').split(/,(?![^(]*\))/).map((part) => part.trim())
    await words.reduce<Table>(add, db.schema.createTable(name)).execute()
  }

export type CreateTable = ReturnType<typeof tableCreator>
