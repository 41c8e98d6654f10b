import type { Tables } from '@countersign/storage-sql'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { expect, it } from 'vitest'
import { openPool } from '../../../tools/testing/open-pool.ts'
import { migrations } from '../../storage-sql/src/migrations/index.ts'
import { migrationNames } from '../../storage-sql/test/migration-names.ts'
import { migrationDialect } from '../src/migrations/dialect.ts'
import { connect, newDatabase } from './open-migrated.ts'

/** The properties of a column that a server depends on. */
interface Column {
  readonly name: string
  readonly type: string
  /** True if an insert may omit the column. */
  readonly mayBeLeftOut: boolean
  /** True if an omitted column becomes NULL. */
  readonly isNullAtFirst: boolean
}

/** A constraint that can refuse a row: a key, a unique index or a check. */
interface Refusal {
  readonly table: string
  readonly definition: string
  /** The columns of a unique index that ignores rows with a NULL in one of these columns; otherwise empty. */
  readonly unlessNull: readonly string[]
  /** The columns of a plain key without expressions or conditions; otherwise empty. */
  readonly key: readonly string[]
}

interface Schema {
  readonly columns: readonly Column[]
  readonly refusals: readonly Refusal[]
}

const readSchema = async (client: pg.Client): Promise<Schema> => {
  const columns = await client.query<Column>(`
    select table_name || '.' || column_name as name, data_type as type,
      is_nullable = 'YES' or column_default is not null or is_identity = 'YES' as "mayBeLeftOut",
      is_nullable = 'YES' and column_default is null as "isNullAtFirst"
    from information_schema.columns where table_schema = 'public' order by 1`)
  // Newer PostgreSQL versions list NOT NULL as a constraint. Here it is part of the column.
  const refusals = await client.query<Refusal>(`
    select indrelid::regclass::text as table, definition,
      case when definition like '%NULLS NOT DISTINCT%' then '{}' else array(
        select indrelid::regclass || '.' || attname from pg_attribute
        where attrelid = indrelid and attnum = any(indkey) order by 1) end as "unlessNull",
      case when indexprs is null and indpred is null then array(select attname::text from pg_attribute
        where attrelid = indrelid and attnum = any(indkey) order by 1) else '{}' end as key
      from pg_index join pg_class on pg_class.oid = indexrelid, pg_get_indexdef(indexrelid) as definition
      where indisunique and relnamespace = 'public'::regnamespace
    union select conrelid::regclass::text, pg_get_constraintdef(oid), '{}',
      case when contype in ('p', 'u') then array(select attname::text from pg_attribute
        where attrelid = conrelid and attnum = any(conkey) order by 1) else '{}' end from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n' order by 1, 2`)
  return { columns: columns.rows, refusals: refusals.rows }
}

const tableOf = (name: string): string => name.slice(0, name.indexOf('.'))

/** Lists the changes that would break a server of the previous version. */
const breaking = (before: Schema, after: Schema): readonly string[] => {
  const tables = new Set(before.columns.map(({ name }) => tableOf(name)))
  const known = new Map(before.columns.map((column) => [column.name, column]))
  const now = new Map(after.columns.map((column) => [column.name, column]))
  const gone = before.columns.filter(({ name, type }) => now.get(name)?.type !== type)
  const demanded = after.columns.filter(
    ({ name, mayBeLeftOut }) => tables.has(tableOf(name)) && !mayBeLeftOut && (known.get(name)?.mayBeLeftOut ?? true),
  )
  const refusedBefore = new Set(before.refusals.map(({ definition }) => definition))
  // Servers of the previous version leave NULL in columns that they do not know.
  const isLeftNull = (name: string) => !known.has(name) && now.get(name)?.isNullAtFirst === true
  // A key that adds columns to an existing key refuses no additional row.
  const isWider = ({ table, key }: Refusal) =>
    before.refusals.some((old) => old.table === table && old.key.length > 0 && old.key.every((column) => key.includes(column)))
  const refused = after.refusals.filter(
    (refusal) =>
      tables.has(refusal.table) &&
      !refusedBefore.has(refusal.definition) &&
      !refusal.unlessNull.some(isLeftNull) &&
      !isWider(refusal),
  )
  return [
    ...gone.map(({ name }) => `${name} is gone, or of another type`),
    ...demanded.map(({ name }) => `${name} must be written`),
    ...refused.map(({ definition }) => `new: ${definition}`),
  ]
}

it('each migration keeps everything that a server of the previous version depends on', async () => {
  const url = await newDatabase()
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: openPool({ connectionString: url, max: 1 }) }) })
  const client = await connect(url)
  const found: Record<string, readonly string[]> = {}
  for (const all of Object.values(migrations(migrationDialect))) {
    for (const name of Object.keys(all).toSorted()) {
      const before = await readSchema(client)
      await all[name]?.up(db)
      found[name] = breaking(before, await readSchema(client))
    }
  }
  expect(found).toStrictEqual(Object.fromEntries(migrationNames.map((name) => [name, []])))
})

it('a change that would break a server of the previous version is detected', async () => {
  const client = await connect(await newDatabase())
  await client.query('create table notes (id text primary key, text text not null, at bigint)')
  const before = await readSchema(client)
  await client.query(`
    alter table notes drop column text; alter table notes alter column at type text;
    alter table notes add column kind text not null; alter table notes add column free text;
    alter table notes add column mark text default 'none';
    create unique index notes_kind on notes (kind); create unique index notes_free on notes (free, kind);
    create unique index notes_mark on notes (mark); create unique index notes_wider on notes (at, id); create unique index notes_lower on notes (lower(id)); create table others (id text primary key references notes (id))`)
  expect(breaking(before, await readSchema(client))).toStrictEqual([
    'notes.at is gone, or of another type',
    'notes.text is gone, or of another type',
    'notes.kind must be written',
    'new: CREATE UNIQUE INDEX notes_kind ON public.notes USING btree (kind)',
    'new: CREATE UNIQUE INDEX notes_lower ON public.notes USING btree (lower(id))',
    'new: CREATE UNIQUE INDEX notes_mark ON public.notes USING btree (mark)',
  ])
})
