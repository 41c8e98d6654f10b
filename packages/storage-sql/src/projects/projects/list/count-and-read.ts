import type { ProjectPage, ProjectQuery } from '@countersign/core/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Readable } from '../../../shared/database.ts'
import { type ProjectRow, selectedColumns, toProject } from '../project-rows.ts'

/** A row of the page with the total beside it, or the total alone where the page holds nothing. */
type CountedRow = { readonly total: number | string } & (ProjectRow | { readonly [N in keyof ProjectRow]: null })

const isOnPage = (row: CountedRow): row is CountedRow & ProjectRow => row.id !== null

/**
 * A page and its exact total, where neither is known and the condition finds few rows: they are found and looked at once, and
 * both counted and sorted. Counting them first took twice as long, since it is the looking at them that costs.
 */
export const countAndRead = async (
  database: Readable,
  condition: RawBuilder<SqlBool>,
  { sort, direction, offset, limit }: Pick<ProjectQuery, 'sort' | 'direction' | 'offset' | 'limit'>,
): Promise<ProjectPage> => {
  const order = direction === 'asc' ? sql`asc` : sql`desc`
  const query = sql<CountedRow>`
    with matches as materialized (
      select projects.seq, ${sql.ref(`projects.${sort}`)} as sorted_by, projects.id from projects where ${condition}),
    page as (select * from matches order by sorted_by ${order}, id ${order} limit ${limit} offset ${offset})
    select counted.total, ${selectedColumns}
    from (select count(*) as total from matches) as counted
    left join page on true
    left join projects on projects.seq = page.seq
    order by page.sorted_by ${order}, page.id ${order}`
  const { rows } = await database.read((db) => query.execute(db))
  return { projects: rows.filter(isOnPage).map(toProject), total: Number(rows[0]?.total ?? 0) }
}
