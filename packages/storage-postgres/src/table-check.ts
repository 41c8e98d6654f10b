import { missingTables } from '@countersign/storage-sql'
import { OperatorError } from './operator-error.ts'

/** Finds missing tables, and tables that the role must not write. */
export const TABLE_CHECK = `select coalesce(array_agg(name) filter (where oid is null), '{}') as missing,
  coalesce(array_agg(name) filter (where not has_schema_privilege(relnamespace, 'usage')
    or not has_table_privilege(oid, 'insert') or not has_table_privilege(oid, 'update')
    or not has_table_privilege(oid, 'delete')), '{}') as readable
from unnest($1::text[]) as name
left join pg_class on relname = name and relnamespace = to_regnamespace($2)`

export const tableCheckValues = (tables: readonly string[], schema: string): [readonly string[], string] => [tables, schema]

/** The row that `TABLE_CHECK` returns. */
export interface CheckedTables {
  readonly missing: readonly string[]
  readonly readable: readonly string[]
}

/** @throws OperatorError that names the tables */
export const requireUsable = (checked: CheckedTables | undefined, tables: readonly string[]): void => {
  const { missing, readable } = checked ?? { missing: tables, readable: [] }
  if (missing.length > 0) throw new OperatorError(missingTables(missing, tables), { reason: 'database_not_migrated' })
  if (readable.length === 0) return
  const names = readable.toSorted().join(', ')
  throw new OperatorError(`its role may not write these tables: ${names}`, { reason: 'database_permission_denied' })
}
