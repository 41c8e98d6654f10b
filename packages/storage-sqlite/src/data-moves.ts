import { statSync } from 'node:fs'
import type { ColumnFact, DataMoveFeatures } from '@countersign/storage-sql'
import { CompiledQuery, sql } from 'kysely'
import { indexAllProjects } from './search.ts'

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Tells of the tables and fills them. A column takes the digits of a whole number for the number. */
export const dataMoves: DataMoveFeatures = {
  identity: async (db) => {
    const { rows } = await sql<{ readonly file: string }>`select file from pragma_database_list where name = 'main'`.execute(db)
    // The file and not its path, of which a link makes another one. Only looked at: see `createWhereMissing`.
    const { dev, ino } = statSync(rows[0]?.file ?? '', { bigint: true })
    return `sqlite:${String(dev)}:${String(ino)}`
  },

  columns: async (db) => {
    const { rows } = await sql<ColumnFact>`
      select tables.name as "table", columns.name, lower(columns.type) as type, columns.pk as place,
        columns.pk = 1 and tables.sql like '%autoincrement%' as counted
      from sqlite_schema as tables join pragma_table_info(tables.name) as columns where tables.type = 'table'`.execute(db)
    return rows
  },

  references: async (db) => {
    const { rows } = await sql<{ readonly table: string; readonly referred: string }>`
      select tables.name as "table", keys."table" as referred
      from sqlite_schema as tables join pragma_foreign_key_list(tables.name) as keys where tables.type = 'table'`.execute(db)
    return rows
  },

  insert: async (db, { name, columns }, rows) => {
    const names = columns.map((column) => quoted(column.name)).join()
    const places = columns.map(() => '?').join()
    const insert = `insert into ${quoted(name)} (${names}) values (${places})`
    // Row by row: without a server in between, one statement that stays prepared is the quickest.
    for (const row of rows) await db.executeQuery(CompiledQuery.raw(insert, [...row]))
  },

  lastCounted: async (db, table) => {
    const { rows } = await sql<{ readonly last: string }>`
      select cast(seq as text) as last from sqlite_sequence where name = ${table}`.execute(db)
    return rows[0]?.last ?? '0'
  },

  countFrom: async (db, table, _column, last) => {
    // The table has no key that would tell of one row for each name.
    await sql`delete from sqlite_sequence where name = ${table}`.execute(db)
    await sql`insert into sqlite_sequence (name, seq) values (${table}, cast(${last} as integer))`.execute(db)
  },

  empty: async (db, tables) => {
    // Those first that refer to others.
    for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(db)
  },

  prepare: async () => {},

  complete: (db) => indexAllProjects(db),
}
