import type { PageQuery } from '@countersign/core/storage'
import { type Expression, type SqlBool, sql } from 'kysely'

/** A query of a table whose rows have a user, a time of creation and an id. */
interface Pageable<Q> {
  where(condition: Expression<SqlBool>): Q
  orderBy(order: Expression<unknown>, direction: 'desc'): Q
  limit(limit: number): Q
}

const [userColumn, createdAt, id] = [sql.ref('user_id'), sql.ref<number>('created_at'), sql.ref<string>('id')]

/** Leaves out the columns without a value. A condition on the rest filters the rows of a list. */
export const given = <V extends object>(values: V): { readonly [C in keyof V]: NonNullable<V[C]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never

/**
 * Restricts a query to the rows of a page, newest first. The redundant condition on the time lets a database use an index on it.
 */
export const onPage = <Q extends Pageable<Q>>(query: Q, { userId, since, before, after, limit }: PageQuery): Q => {
  const conditions: Expression<SqlBool>[] = []
  if (userId !== undefined) conditions.push(sql<SqlBool>`${userColumn} = ${userId}`)
  if (since !== undefined) conditions.push(sql<SqlBool>`${createdAt} >= ${since}`)
  if (before !== undefined) conditions.push(sql<SqlBool>`${createdAt} < ${before}`)
  if (after !== undefined) {
    conditions.push(sql<SqlBool>`${createdAt} <= ${after.createdAt}`)
    conditions.push(sql<SqlBool>`(${createdAt}, ${id}) < (${after.createdAt}, ${after.id})`)
  }
  return conditions
    .reduce((restricted, condition) => restricted.where(condition), query)
    .orderBy(createdAt, 'desc')
    .orderBy(id, 'desc')
    .limit(limit)
}
