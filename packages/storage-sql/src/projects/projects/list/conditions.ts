import type { ProjectQuery } from '@countersign/core/storage'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

/** What a project must have to be on a list. */
export const listCondition = (
  { status, customerId, progress }: ProjectQuery['filters'],
  ...others: readonly Expression<SqlBool>[]
): RawBuilder<SqlBool> =>
  sql.join(
    [
      sql`projects.removed_at is null`,
      ...(status === undefined ? [] : [sql`projects.status = ${status}`]),
      ...(customerId === undefined ? [] : [sql`projects.customer_id = ${customerId}`]),
      ...(progress === undefined ? [] : [sql`projects.progress = ${progress}`]),
      ...others,
    ],
    sql` and `,
  )
