import type { ProjectQuery } from '@countersign/core/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Readable } from '../../../shared/database.ts'
import type { DialectFeatures } from '../../../shared/dialect-features.ts'
import { type ProjectRow, selectedColumns } from '../project-rows.ts'
import { sortOf } from './sorts.ts'

/**
 * A page of a list that is come across along its sort's index, from the end that is asked for; `undefined` where it is not
 * full after so many rows of the index, since what is looked for may all lie at the other end.
 *
 * @param most Rows of the index that may be walked over.
 */
export const readNear = async (
  { database, features }: { readonly database: Readable; readonly features: Pick<DialectFeatures, 'projectsByIndex'> },
  has: RawBuilder<SqlBool>,
  { sort, direction, offset }: Pick<ProjectQuery, 'sort' | 'direction' | 'offset'>,
  { take, most }: { readonly take: number; readonly most: number },
): Promise<readonly ProjectRow[] | undefined> => {
  const projects = features.projectsByIndex(sortOf(sort).index)
  const key = sql.ref(`projects.${sort}`)
  const [order, compare] = direction === 'asc' ? [sql`asc`, sql`<=`] : [sql`desc`, sql`>=`]
  const inOrder = sql`order by ${key} ${order}, projects.id ${order}`
  const last = await database.read((db) =>
    sql<{ readonly key: string | number; readonly id: string }>`
      select ${key} as key, projects.id as id from ${projects} where projects.removed_at is null
      ${inOrder} limit 1 offset ${most}`.execute(db),
  )
  const [end] = last.rows
  const within = end === undefined ? sql`` : sql`and (${key}, projects.id) ${compare} (${end.key}, ${end.id})`
  const { rows } = await database.read((db) =>
    sql<ProjectRow>`
      select ${selectedColumns} from ${projects} where ${has} ${within} ${inOrder} limit ${take} offset ${offset}`.execute(db),
  )
  return rows.length < take ? undefined : rows
}
