import type { Project, ProjectQuery } from '@countersign/core/storage'
import { sql } from 'kysely'
import type { Database, Readable } from '../../shared/database.ts'
import { type FilterColumn, splitFilters } from './list/sorts.ts'

type Counted = Pick<Project, 'customerId' | 'status' | 'progress'>

/** Stands for the sum over all customers. */
const ALL_CUSTOMERS = ''

const raiseListVersion = (tx: Database) =>
  tx.write((db) =>
    db
      .updateTable('project_lists')
      .set((the) => ({ version: the('version', '+', 1) }))
      .execute(),
  )

const add = (tx: Database, { customerId, status, progress }: Counted) =>
  tx.write((db) =>
    db
      .insertInto('project_counts')
      .values([ALL_CUSTOMERS, customerId].map((customer) => ({ customer_id: customer, status, progress, count: 1 })))
      .onConflict((conflict) =>
        conflict
          .columns(['customer_id', 'status', 'progress'])
          .doUpdateSet((the) => ({ count: the('project_counts.count', '+', 1) })),
      )
      .execute(),
  )

const subtract = (tx: Database, { customerId, status, progress }: Counted) =>
  tx.write((db) =>
    db
      .updateTable('project_counts')
      .set((the) => ({ count: the('count', '-', 1) }))
      .where('customer_id', 'in', [ALL_CUSTOMERS, customerId])
      .where('status', '=', status)
      .where('progress', '=', progress)
      .execute(),
  )

/**
 * Updates the counters for a changed project, in the transaction of the change. Also raises the version of the lists, which
 * invalidates what other processes have cached. Writers of projects lock the version row first and wait for each other there, so
 * that they cannot deadlock on the counters.
 */
export const recordProjectChange = async (
  tx: Database,
  before: Counted | undefined,
  after: Counted | undefined,
): Promise<void> => {
  await raiseListVersion(tx)
  const isSame =
    before !== undefined && after !== undefined && before.status === after.status && before.progress === after.progress
  if (isSame) return
  if (before !== undefined) await subtract(tx, before)
  if (after !== undefined) await add(tx, after)
}

export interface ListCounts {
  /** Rises with every change that lists can show. */
  readonly version: number
  /** The number of projects that match all filters. */
  readonly total: number
  /** The number of all projects. */
  readonly all: number
  /** The number of projects that match each given filter alone. */
  readonly byFilter: readonly { readonly column: FilterColumn; readonly total: number }[]
}

type Filters = ProjectQuery['filters']

const totalOf = ({ customerId, status, progress }: Filters) => {
  const conditions = [
    sql`customer_id = ${customerId ?? ALL_CUSTOMERS}`,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(progress === undefined ? [] : [sql`progress = ${progress}`]),
  ]
  return sql<
    number | string
  >`(select coalesce(sum(count), 0) from ${sql.table('project_counts')} where ${sql.join(conditions, sql` and `)})`
}

/**
 * Reads the exact totals from the counters: for all filters together, for each filter and without filters. Also reads the version
 * of the lists, in the same statement.
 */
export const readCounts = async (database: Readable, filters: Filters): Promise<ListCounts> => {
  const given = splitFilters(filters)
  // A single filter has the same total as all filters together.
  const each = given.length > 1 ? given.map(({ column, filter }) => totalOf(filter).as(column)) : []
  const { version, matching, all, ...ofEach } = await database.read((db) =>
    db
      .selectFrom('project_lists')
      .select(['version', totalOf(filters).as('matching'), totalOf({}).as('all'), ...each])
      .executeTakeFirstOrThrow(),
  )
  const total = Number(matching)
  const byFilter = given.map(({ column }) => ({ column, total: Number(ofEach[column] ?? total) }))
  return { version, total, all: Number(all), byFilter }
}

export const readListVersion = async (database: Readable): Promise<number> => {
  const { version } = await database.read((db) => db.selectFrom('project_lists').select('version').executeTakeFirstOrThrow())
  return version
}
