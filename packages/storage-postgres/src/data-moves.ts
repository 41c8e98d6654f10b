import { DataMoveRefused, type StoredColumn, type StoredRow, type StoredTable } from '@countersign/core/storage'
import type { ColumnFact, DataMoveFeatures } from '@countersign/storage-sql'
import { sql } from 'kysely'
import { disableTimeouts } from './disable-timeouts.ts'

/** Restricts `pg_class as tables` to the tables of the schema. */
const inSchema = (schema: string) =>
  sql`tables.relnamespace = (select oid from pg_namespace where nspname = ${schema}) and tables.relkind = 'r'`

const types: Readonly<Record<StoredColumn['kind'], string>> = { text: 'text', integer: 'bigint', number: 'double precision' }

/** Memory of the server for the creation of one index: four times its default. */
const INDEX_MEMORY = '256MB'

interface Index {
  readonly name: string
  readonly definition: string
}

/** A text of PostgreSQL cannot contain this character. */
const NUL = String.fromCharCode(0)

const requireStorable = ({ name: table, columns }: StoredTable, rows: readonly StoredRow[]): void => {
  for (const row of rows) {
    const bad = columns.find((_, index) => typeof row[index] === 'string' && row[index].includes(NUL))
    if (bad !== undefined)
      throw new DataMoveRefused(`A row of ${table} has in ${bad.name} a NUL character, which PostgreSQL cannot store`)
  }
}

/** A transaction number means nothing in another database. The target fills such a column itself. */
const isMoved = sql`columns.atttypid <> 'xid8'::regtype`

/** Quotes a name for a function whose argument is the name of a table as text. */
const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Reads the catalog of the schema, and fills its tables. */
export const dataMoves = (schema: string): DataMoveFeatures => ({
  identity: async (db) => {
    // The start time in microseconds identifies the server. It is a number, because its text depends on the session's time zone.
    const { rows } = await sql<{ readonly identity: string }>`
      select concat_ws(':', 'postgres', (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint, oid, ${schema}::text) as identity
      from pg_database where datname = current_database()`.execute(db)
    return rows[0]?.identity ?? ''
  },

  columns: async (db) => {
    const { rows } = await sql<ColumnFact>`
      select tables.relname as "table", columns.attname as name, format_type(columns.atttypid, null) as type,
        coalesce(array_position(keys.indkey::int2[], columns.attnum) + 1, 0) as place,
        (columns.attidentity <> '')::int as counted
      from pg_class as tables
      join pg_attribute as columns on columns.attrelid = tables.oid and columns.attnum > 0 and not columns.attisdropped
      left join pg_index as keys on keys.indrelid = tables.oid and keys.indisprimary
      where ${inSchema(schema)} and ${isMoved}`.execute(db)
    return rows
  },

  references: async (db) => {
    const { rows } = await sql<{ readonly table: string; readonly referred: string }>`
      select tables.relname as "table", referred.relname as referred
      from pg_constraint join pg_class as tables on tables.oid = conrelid join pg_class as referred on referred.oid = confrelid
      where contype = 'f' and ${inSchema(schema)}`.execute(db)
    return rows
  },

  insert: async (db, table, rows) => {
    requireStorable(table, rows)
    const names = sql.join(table.columns.map(({ name }) => sql.ref(name)))
    const typed = sql.join(table.columns.map(({ name, kind }) => sql`${sql.ref(name)} ${sql.raw(types[kind])}`))
    const json = JSON.stringify(rows.map((row) => Object.fromEntries(table.columns.map(({ name }, index) => [name, row[index]]))))
    await sql`
      insert into ${sql.table(table.name)} (${names})
      select ${names} from json_to_recordset(cast(${json} as json)) as given (${typed})`.execute(db)
  },

  lastCounted: async (db, table, column) => {
    const { rows } = await sql<{ readonly last: string }>`
      select coalesce(pg_sequence_last_value(pg_get_serial_sequence(${`${quoteName(schema)}.${quoteName(table)}`}, ${column})::regclass), 0)::text as last`.execute(
      db,
    )
    return rows[0]?.last ?? '0'
  },

  countFrom: async (db, table, column, last) => {
    await sql`
      select setval(pg_get_serial_sequence(${`${quoteName(schema)}.${quoteName(table)}`}, ${column}), greatest(cast(${last} as bigint), 1), ${last} <> '0')`.execute(
      db,
    )
  },

  empty: async (db, tables) => {
    await sql`truncate ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(db)
  },

  hold: async (tx, tables) => {
    await disableTimeouts(tx)
    await sql`lock table ${sql.join(tables.map(({ name }) => sql.table(name)))} in access exclusive mode`.execute(tx)
  },

  dropDerived: async (tx) => {
    const { rows: triggers } = await sql<Index & { readonly table: string }>`
      select tgname as name, tables.relname as "table", pg_get_triggerdef(pg_trigger.oid) as definition
      from pg_trigger join pg_class as tables on tables.oid = tgrelid
      where ${inSchema(schema)} and not tgisinternal and starts_with(tgname, 'report_')`.execute(tx)
    for (const { name, table } of triggers) await sql`drop trigger ${sql.id(name)} on ${sql.table(table)}`.execute(tx)
    const { rows: indexes } = await sql<Index>`
      select indexes.relname as name, pg_get_indexdef(indexes.oid) as definition
      from pg_index join pg_class as tables on tables.oid = indrelid join pg_class as indexes on indexes.oid = indexrelid
      where ${inSchema(schema)} and not exists (select from pg_constraint where conindid = indexes.oid)`.execute(tx)
    for (const { name } of indexes) await sql`drop index ${sql.id(schema, name)}`.execute(tx)
    return [...indexes, ...triggers].map(({ definition }) => definition)
  },

  complete: async (tx, tables, dropped) => {
    await sql`set local maintenance_work_mem = ${sql.lit(INDEX_MEMORY)}`.execute(tx)
    for (const definition of dropped) await sql`${sql.raw(definition)}`.execute(tx)
    // Without this the planner has no statistics until the next autovacuum.
    await sql`analyze ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(tx)
  },
})
