import {
  DataMoveRefused,
  type DataSnapshot,
  type StoredColumn,
  type StoredRow,
  type StoredTable,
} from '@countersign/core/storage'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../tables/index.ts'
import type { DialectFeatures } from '../dialect-features.ts'
import { readAppliedNames } from '../migrate.ts'

/** Names a column with its table. A bare name may be an output column, and SQLite reads an unknown quoted name as a string. */
const columnOf = (table: StoredTable, name: string): RawBuilder<unknown> => sql.ref(`${table.name}.${name}`)

/** Selects integers as their digits, because drivers round integers that JavaScript cannot represent. */
const selected = (table: StoredTable): RawBuilder<unknown> =>
  sql.join(
    table.columns.map(({ name, kind }) => {
      const column = columnOf(table, name)
      return sql`${kind === 'integer' ? sql`cast(${column} as text)` : column} as ${sql.ref(name)}`
    }),
  )

const keyColumns = (table: StoredTable): RawBuilder<unknown> => sql.join(table.key.map((name) => columnOf(table, name)))

const keyValues = (table: StoredTable, key: StoredRow): RawBuilder<unknown> =>
  sql.join(
    table.key.map((name, index) => {
      const isInteger = table.columns.some((column) => column.name === name && column.kind === 'integer')
      return isInteger ? sql`cast(${key[index]} as bigint)` : sql`${key[index]}`
    }),
  )

const isOfKind = (value: unknown, kind: StoredColumn['kind']): value is StoredRow[number] => {
  if (value === null) return true
  if (kind === 'number') return typeof value === 'number' && Number.isFinite(value)
  return typeof value === 'string' && (kind === 'text' || /^-?\d+$/.test(value))
}

/** Checks the types of a row. SQLite accepts any value in any column, but other databases do not. */
const toRow = ({ name: table, columns }: StoredTable, row: Readonly<Record<string, unknown>>): StoredRow =>
  columns.map(({ name, kind }) => {
    const value = row[name]
    if (!isOfKind(value, kind)) throw new DataMoveRefused(`A row of ${table} has in ${name} what is no ${kind}`)
    return value
  })

/** Opens the contents of a database, on a connection that sees one state. */
export const openSnapshot = async (db: Kysely<Tables>, { place, dataMoves }: DialectFeatures): Promise<DataSnapshot> => ({
  database: await dataMoves.identity(db),
  migrations: await readAppliedNames(db, place),
  countRows: async ({ name }) => {
    const { rows } = await sql<{ count: number | string }>`select count(*) as count from ${sql.table(name)}`.execute(db)
    return Number(rows[0]?.count ?? 0)
  },
  rowsAfter: async (table, after, limit) => {
    const key = keyColumns(table)
    const past = after === undefined ? sql`` : sql`where (${key}) > (${keyValues(table, after)})`
    const { rows } = await sql<Readonly<Record<string, unknown>>>`
      select ${selected(table)} from ${sql.table(table.name)} ${past} order by ${key} limit ${limit}`.execute(db)
    return rows.map((row) => toRow(table, row))
  },
  lastCounted: async ({ name, counted }) => (counted === undefined ? '0' : dataMoves.lastCounted(db, name, counted)),
})
