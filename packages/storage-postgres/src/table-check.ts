import { missingTables, type Tables } from '@countersign/storage-sql'
import { type Kysely, sql } from 'kysely'
import { refuse } from './operator-error.ts'

export interface CheckedTables {
  readonly schema: string
  readonly tables: readonly string[]
}

/** @throws Unavailable that names missing tables, and tables that the role must not write */
export const requireTables = async (db: Kysely<Tables>, { schema, tables }: CheckedTables): Promise<void> => {
  const { rows } = await sql<{ readonly missing: readonly string[]; readonly readable: readonly string[] }>`
    select coalesce(array_agg(name) filter (where oid is null), '{}') as missing,
      coalesce(array_agg(name) filter (where not has_schema_privilege(relnamespace, 'usage')
        or not has_table_privilege(oid, 'insert') or not has_table_privilege(oid, 'update')
        or not has_table_privilege(oid, 'delete')), '{}') as readable
    from unnest(${tables}::text[]) as name
    left join pg_class on relname = name and relnamespace = to_regnamespace(${schema})`.execute(db)
  const { missing, readable } = rows[0] ?? { missing: tables, readable: [] }
  if (missing.length > 0) refuse(missingTables(missing, tables), 'database_not_migrated')
  const names = readable.toSorted().join(', ')
  if (names !== '') refuse(`its role may not write these tables: ${names}`, 'database_permission_denied')
}
