import type { Project, ProjectQuery } from '@countersign/core/storage'
import { sql } from 'kysely'
import type { Database, Readable } from '../../shared/database.ts'
import { type FilterColumn, splitFilters } from './list/sorts.ts'

type Counted = Pick<Project, 'customerId' | 'status' | 'progress'>

/** The counters of all customers together. */
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
 * Notes, in the transaction of the change, how a project counts before and after it. Every change to what lists show
 * passes here: the version it raises says to every process that what it remembers of lists is old. That row is also
 * where writers of projects wait for each other, always first, so that they cannot deadlock on the counters.
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
  /** Rises with every change to what lists show. */
  readonly version: number
  /** Projects that have every member of the filters. */
  readonly total: number
  /** All projects. */
  readonly all: number
  /** Of each filter that is given: how many projects have it, whatever the others. */
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

/** The exact totals of filters, of each and of none, from the counters, and the version they are of, in one statement. */
export const readCounts = async (database: Readable, filters: Filters): Promise<ListCounts> => {
  const given = splitFilters(filters)
  // The total of a single one is that of them all.
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
