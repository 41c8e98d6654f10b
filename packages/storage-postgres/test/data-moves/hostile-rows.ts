import type Sqlite from 'better-sqlite3'

/** A value in the form that the SQLite driver accepts and returns. */
export type SqliteValue = string | bigint | number | null

export interface LiveTable {
  readonly name: string
  readonly columns: readonly LiveColumn[]
}

interface LiveColumn {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  /** True for a column of a primary key or unique index: no value may occur twice. */
  readonly isUnique: boolean
  /** True if the table refuses negative values, and perhaps zero. */
  readonly isPositive: boolean
  readonly refersTo: string | undefined
}

interface ColumnInfo {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly pk: number
}

const unprefixed = (table: string): string => table.replace(/^countersign_/, '')

const columnsOf = (file: Sqlite.Database, table: string): readonly LiveColumn[] => {
  const pragma = <T>(name: string, of: string) => file.pragma(`${name}(${of})`) as readonly T[]
  const references = new Map(
    pragma<{ from: string; table: string }>('foreign_key_list', table).map((key) => [key.from, unprefixed(key.table)]),
  )
  const unique = new Set(
    pragma<{ name: string; unique: number }>('index_list', table)
      .filter((index) => index.unique === 1)
      .flatMap((index) => pragma<{ name: string }>('index_info', index.name).map(({ name }) => name)),
  )
  const { sql } = file.prepare('select sql from sqlite_master where name = ?').get(table) as { sql: string }
  const positive = new Set([...sql.matchAll(/check \("?(\w+)"? (?:> 0|>= [01])\)/gi)].map(([, name]) => name))
  return pragma<ColumnInfo>('table_info', table).map(({ name, type, notnull, pk }) => ({
    name,
    type: type.toLowerCase(),
    isNullable: notnull === 0 && pk === 0,
    isUnique: pk > 0 || unique.has(name),
    isPositive: positive.has(name),
    refersTo: references.get(name),
  }))
}

/** Returns every table of the migrations, except the tables of SQLite, of the search index and of the records of migrations. */
export const liveTables = (file: Sqlite.Database): readonly LiveTable[] => {
  const rows = file.pragma('table_list') as readonly { name: string; type: string }[]
  return rows
    .filter(({ name, type }) => type === 'table' && /^countersign_(?!migrations_|projects_to_index$)/.test(name))
    .map(({ name }) => ({ name: unprefixed(name), columns: columnsOf(file, name) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

const texts = [
  `it's "quoted" \\ \`twice\``,
  '',
  'null',
  '{"a":[1,2.50,"\\u0000",null],"__proto__":{"b":"\\"}"}}',
  '😀 👩‍👩‍👧 \u{10FFFF} \u{1D11E} İıßΣς e\u0301 é',
  '\\N\t\r\n\u0001\u007f\u2028\u202e',
  '$1 ? :name %s %_ --; drop table users',
  'x'.repeat(70_000),
]
const bigints = [0n, -1n, 9_007_199_254_740_993n, 2n ** 63n - 1n, -(2n ** 63n)]
const integers = [0n, 1n, -1n, 2n ** 31n - 1n, -(2n ** 31n)]
const positives = [1n, 2n, 2n ** 31n - 1n]
const numbers = [0.1, 1e308, -5e-324, 1 / 3, 123_456_789.012_345, -0, 1e21]

export const HOSTILE_ROWS = texts.length

const nth = <T>(values: readonly T[], n: number): T => values[n % values.length] as T

const hostileValue = (column: LiveColumn, index: number, shift: number): SqliteValue => {
  if (column.isNullable && (index + shift) % 3 === 0) return null
  if (column.type === 'double precision') return nth(numbers, index + shift)
  if (column.type === 'text') return nth(texts, index + shift) + (column.isUnique ? `#${index}` : '')
  if (column.isPositive) return nth(positives, index + shift)
  // Half of the numbers are too large or too small for a JavaScript number.
  if (column.isUnique) return (column.type === 'bigint' ? bigints[index] : undefined) ?? BigInt(index + 1)
  return nth(column.type === 'bigint' ? bigints : integers, index + shift)
}

/** Returns rows with values that are easily damaged, for every table by name. Foreign keys refer to existing rows. */
export const hostileRows = (tables: readonly LiveTable[]): ReadonlyMap<string, readonly (readonly SqliteValue[])[]> => {
  const keyOf = (table: string, index: number): SqliteValue => {
    const own = tables.find(({ name }) => name === table)?.columns ?? []
    const key = own.findIndex(({ name }) => name === 'id')
    return hostileValue(own[key] as LiveColumn, index, key)
  }
  return new Map(
    tables.map(({ name, columns }) => [
      name,
      Array.from({ length: HOSTILE_ROWS }, (_, index) =>
        columns.map((column, shift) =>
          column.refersTo === undefined ? hostileValue(column, index, shift) : keyOf(column.refersTo, index),
        ),
      ),
    ]),
  )
}
