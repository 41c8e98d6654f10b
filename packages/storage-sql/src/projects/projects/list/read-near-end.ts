import type { ProjectQuery } from '@countersign/core/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { readRows } from '../../../shared/database.ts'
import { type ProjectRow, projectColumn, selectedColumns } from '../project-rows.ts'
import type { ListContext } from './cache.ts'
import { sortIndexOf } from './list-indexes.ts'

/** Reads a page from the beginning of its index; `undefined` if `maxRows` rows do not fill it: matches may be at the end. */
export const readNearEnd = async (
  { database, features }: Pick<ListContext, 'database' | 'features'>,
  condition: RawBuilder<SqlBool>,
  { sort, direction, offset }: Pick<ProjectQuery, 'sort' | 'direction' | 'offset'>,
  { take, maxRows }: { readonly take: number; readonly maxRows: number },
): Promise<readonly ProjectRow[] | undefined> => {
  const projects = features.projectsByIndex(sortIndexOf(sort))
  const key = projectColumn(sort)
  const id = projectColumn('id')
  const [order, compare] = direction === 'asc' ? [sql`asc`, sql`<=`] : [sql`desc`, sql`>=`]
  const inOrder = sql`order by ${key} ${order}, ${id} ${order}`
  const last = sql<{ readonly key: string | number; readonly id: string }>`
    select ${key} as key, ${id} as id from ${projects} where ${projectColumn('removed_at')} is null
    ${inOrder} limit 1 offset ${maxRows}`
  const [end] = await readRows(database, last)
  const within = end === undefined ? sql`` : sql`and (${key}, ${id}) ${compare} (${end.key}, ${end.id})`
  const page = sql<ProjectRow>`
    select ${selectedColumns} from ${projects} where ${condition} ${within}
    ${inOrder} limit ${take} offset ${offset}`
  const rows = await readRows(database, page)
  return rows.length < take ? undefined : rows
}
