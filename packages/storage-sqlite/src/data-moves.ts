import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import type { ColumnFact, DataMoveFeatures } from '@countersign/storage-sql'
import { CompiledQuery, sql } from 'kysely'
import { indexAllProjects } from './search.ts'

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Restricts `sqlite_schema as tables` to the tables, or the triggers, with the prefix. */
const withPrefix = (prefix: string, type: 'table' | 'trigger' = 'table') =>
  sql`tables.type = ${type} and substr(tables.name, 1, ${prefix.length}) = ${prefix}`

const unprefixed = (prefix: string, name: string) => sql`substr(${sql.ref(name)}, ${prefix.length + 1})`

/** Reads the catalog of the tables with the prefix, and fills them. SQLite converts digits into a number by itself. */
export const dataMoves = (prefix: string): DataMoveFeatures => ({
  identity: async (db) => {
    const { rows } = await sql<{ readonly file: string }>`select file from pragma_database_list where name = 'main'`.execute(db)
    const file = rows[0]?.file ?? ''
    // A test's database in memory belongs to one connection.
    if (file === '') return `sqlite:memory:${randomUUID()}`
    // The file itself, because a link gives it another path. The file is not opened: see `createIfMissing`.
    const { dev, ino } = statSync(file, { bigint: true })
    return `sqlite:${String(dev)}:${String(ino)}:${prefix}`
  },

  columns: async (db) => {
    const { rows } = await sql<ColumnFact>`
      select ${unprefixed(prefix, 'tables.name')} as "table", columns.name, lower(columns.type) as type, columns.pk as place,
        columns.pk = 1 and tables.sql like '%autoincrement%' as counted
      from sqlite_schema as tables join pragma_table_info(tables.name) as columns
      where ${withPrefix(prefix)}`.execute(db)
    return rows
  },

  references: async (db) => {
    const { rows } = await sql<{ readonly table: string; readonly referred: string }>`
      select ${unprefixed(prefix, 'tables.name')} as "table", ${unprefixed(prefix, 'keys.table')} as referred
      from sqlite_schema as tables join pragma_foreign_key_list(tables.name) as keys
      where ${withPrefix(prefix)}`.execute(db)
    return rows
  },

  insert: async (db, { name, columns }, rows) => {
    const names = columns.map((column) => quoted(column.name)).join()
    const places = columns.map(() => '?').join()
    const insert = `insert into ${quoted(prefix + name)} (${names}) values (${places})`
    // One prepared statement for each row is fastest here, because there is no network.
    for (const row of rows) await db.executeQuery(CompiledQuery.raw(insert, [...row]))
  },

  lastCounted: async (db, table) => {
    const { rows } = await sql<{ readonly last: string }>`
      select cast(seq as text) as last from sqlite_sequence where name = ${prefix + table}`.execute(db)
    return rows[0]?.last ?? '0'
  },

  countFrom: async (db, table, _column, last) => {
    // The table has no unique key, so the row is replaced.
    await sql`delete from sqlite_sequence where name = ${prefix + table}`.execute(db)
    await sql`insert into sqlite_sequence (name, seq) values (${prefix + table}, cast(${last} as integer))`.execute(db)
  },

  empty: async (db, tables) => {
    // Tables that refer to others come first.
    for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(db)
  },

  // A transaction that writes is alone.
  hold: async () => {},

  dropDerived: async (db) => {
    const { rows: triggers } = await sql<{ readonly name: string; readonly definition: string }>`
      select name, sql as definition from sqlite_schema as tables where ${withPrefix(`${prefix}report_`, 'trigger')}`.execute(db)
    for (const { name } of triggers) await sql`drop trigger ${sql.id(name)}`.execute(db)
    return triggers.map(({ definition }) => definition)
  },

  complete: async (db, tables, dropped) => {
    for (const definition of dropped) await sql`${sql.raw(definition)}`.execute(db)
    if (tables.some(({ name }) => name === 'projects')) await indexAllProjects(db)
  },
})
