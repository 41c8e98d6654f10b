import type { ProjectQuery } from '@countersign/core/storage'
import { sql } from 'kysely'
import type { Readable } from '../../shared/database.ts'
import { ALL_CUSTOMERS } from './fold-counts.ts'
import { type FilterColumn, splitFilters } from './list/list-indexes.ts'

export interface ListCounts {
  /** Rises with every change that lists can show. */
  readonly version: number
  readonly total: number
  readonly all: number
  readonly byFilter: readonly { readonly column: FilterColumn; readonly total: number }[]
}

type Filters = ProjectQuery['filters']

const counts = sql.table('project_counts')
const deltas = sql.table('project_count_deltas')

/** The counter plus the deltas that are not folded into the counter yet. */
const totalOf = ({ customerId, status, progress }: Filters) => {
  const ofState = [
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(progress === undefined ? [] : [sql`progress = ${progress}`]),
  ]
  const counted = sql.join([sql`customer_id = ${customerId ?? ALL_CUSTOMERS}`, ...ofState], sql` and `)
  const waiting = sql.join(
    [...(customerId === undefined ? [sql`true`] : [sql`customer_id = ${customerId}`]), ...ofState],
    sql` and `,
  )
  return sql<number | string>`(
    (select coalesce(sum(count), 0) from ${counts} where ${counted}) +
    (select coalesce(sum(delta), 0) from ${deltas} where ${waiting}))`
}

/** Each delta counts as one change of the lists, before and after it is folded. */
const listVersion = sql<number | string>`(select version from ${sql.table('project_lists')}) + (select count(*) from ${deltas})`

/** Reads the exact totals of all filters together, of each, and of none, and the version of the lists, in one statement. */
export const readCounts = async (database: Readable, filters: Filters): Promise<ListCounts> => {
  const given = splitFilters(filters)
  // A single filter has the same total as all filters together.
  const each = given.length > 1 ? given.map(({ column, filter }) => totalOf(filter).as(column)) : []
  const { version, matching, all, ...ofEach } = await database.read((db) =>
    db
      .selectNoFrom([listVersion.as('version'), totalOf(filters).as('matching'), totalOf({}).as('all'), ...each])
      .executeTakeFirstOrThrow(),
  )
  const total = Number(matching)
  const byFilter = given.map(({ column }) => ({ column, total: Number(ofEach[column] ?? total) }))
  return { version: Number(version), total, all: Number(all), byFilter }
}

export const readListVersion = async (database: Readable): Promise<number> => {
  const { version } = await database.read((db) => db.selectNoFrom(listVersion.as('version')).executeTakeFirstOrThrow())
  return Number(version)
}
