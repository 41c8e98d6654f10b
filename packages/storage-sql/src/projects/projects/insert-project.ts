import { type NewProject, searchedText } from '@countersign/core/storage'
import type { Database } from '../../shared/database.ts'
import type { SearchFeatures } from '../../shared/dialect-features.ts'
import { preparedQuery, rowOf } from '../../shared/prepared-query.ts'
import { fromProject, insertedColumns, productMapping } from './project-rows.ts'
import { recordProjectChange } from './record-change.ts'

const insertRow = preparedQuery((db, row: ReturnType<typeof fromProject>) =>
  db
    .insertInto('projects')
    .values(rowOf(row, insertedColumns))
    .onConflict((conflict) => conflict.column('unique_code').doNothing())
    .returning('seq'),
)

/** Adds a project with everything that belongs to it; `false` if its code is taken. Locks no row that others need. */
export const insertProject = async (tx: Database, search: SearchFeatures, project: NewProject): Promise<boolean> => {
  const added = await insertRow.written(tx, fromProject(project))
  if (added === undefined) return false
  const { id, products, participantIds } = project
  if (products.length > 0) {
    const rows = products.map((product, position) => ({
      ...productMapping.toRow(product),
      attributes: JSON.stringify(product.attributes),
      project_id: id,
      position,
    }))
    await tx.write((db) => db.insertInto('products').values(rows))
  }
  if (participantIds.length > 0) {
    const rows = participantIds.map((userId, position) => ({ project_id: id, position, user_id: userId }))
    await tx.write((db) => db.insertInto('project_participants').values(rows))
  }
  await search.added(tx, added.seq, searchedText(project))
  await recordProjectChange(tx, undefined, project)
  return true
}
