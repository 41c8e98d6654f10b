import type { ProjectPage, ProjectQuery } from '@countersign/core/types'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Readable } from '../../../shared/database.ts'
import { type ProjectRow, projectColumn, projectsTable, selectedColumns, toProject } from '../project-rows.ts'

/** A row of the page with the total. If the page is empty, one row has only the total. */
type CountedRow = { readonly total: number | string } & (ProjectRow | { readonly [N in keyof ProjectRow]: null })

const isOnPage = (row: CountedRow): row is CountedRow & ProjectRow => row.id !== null

/**
 * Reads a page and counts its exact total in one statement. Reading the matches costs most of the time, so a statement for the
 * total alone would double the time.
 */
export const readCounted = async (
  database: Readable,
  condition: RawBuilder<SqlBool>,
  { sort, direction, offset, limit }: Pick<ProjectQuery, 'sort' | 'direction' | 'offset' | 'limit'>,
): Promise<ProjectPage> => {
  const order = direction === 'asc' ? sql`asc` : sql`desc`
  const seq = projectColumn('seq')
  const query = sql<CountedRow>`
    with matches as materialized (
      select ${seq} as seq, ${projectColumn(sort)} as sorted_by, ${projectColumn('id')} as id
      from ${projectsTable} where ${condition}),
    page as (select * from matches order by sorted_by ${order}, id ${order} limit ${limit} offset ${offset})
    select counted.total, ${selectedColumns}
    from (select count(*) as total from matches) as counted
    left join page on true
    left join ${projectsTable} on ${seq} = page.seq
    order by page.sorted_by ${order}, page.id ${order}`
  const { rows } = await database.read((db) => query.execute(db))
  return { projects: rows.filter(isOnPage).map(toProject), total: Number(rows[0]?.total ?? 0) }
}
