import type { ProjectQuery } from '@countersign/core/storage'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { projectColumn } from '../project-rows.ts'

/** Returns the condition that a project is on a list. */
export const listCondition = (
  { status, customerId, progress }: ProjectQuery['filters'],
  ...others: readonly Expression<SqlBool>[]
): RawBuilder<SqlBool> =>
  sql.join(
    [
      sql`${projectColumn('removed_at')} is null`,
      ...(status === undefined ? [] : [sql`${projectColumn('status')} = ${status}`]),
      ...(customerId === undefined ? [] : [sql`${projectColumn('customer_id')} = ${customerId}`]),
      ...(progress === undefined ? [] : [sql`${projectColumn('progress')} = ${progress}`]),
      ...others,
    ],
    sql` and `,
  )
