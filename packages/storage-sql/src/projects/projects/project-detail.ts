import type { Contact, Product, Project, ProjectDetail } from '@countersign/core/storage'
import type { Selectable } from 'kysely'
import type { Database } from '../../shared/database.ts'
import { parseTexts } from '../../shared/json-texts.ts'
import type { ProductsTable } from '../../tables/index.ts'
import { projectColumns, toProject } from './project-rows.ts'

const toProduct = (row: Selectable<ProductsTable>): Product => ({
  id: row.id,
  name: row.name,
  productType: row.product_type,
  description: row.description,
  attributes: JSON.parse(row.attributes) as Product['attributes'],
  schemaVersion: row.schema_version,
})

/** Reads the objects of a project, with one statement for each kind. */
const readParts = async (database: Database, projectId: string) => {
  const products = await database.read((db) =>
    db.selectFrom('products').selectAll().where('project_id', '=', projectId).orderBy('position').execute(),
  )
  const tasks = await database.read((db) =>
    db
      .selectFrom('resources')
      .select(['id', 'name', 'status'])
      .where('project_id', '=', projectId)
      .where('type', '=', 'Task')
      .orderBy('id')
      .execute(),
  )
  const participants: Contact[] = await database.read((db) =>
    db
      .selectFrom('project_participants')
      .innerJoin('users', 'users.id', 'project_participants.user_id')
      .select(['users.id', 'users.name', 'users.email'])
      .where('project_id', '=', projectId)
      .orderBy('position')
      .execute(),
  )
  return { products: products.map(toProduct), tasks, participants }
}

/**
 * Reads a project with all of its objects in a fixed number of statements.
 *
 * @param which Selects the project: by code if it is not removed, or by id in any case.
 */
export const readDetail = async (
  database: Database,
  which: Pick<Project, 'uniqueCode'> | Pick<Project, 'id'>,
): Promise<ProjectDetail | undefined> => {
  const row = await database.read((db) => {
    const projects = db
      .selectFrom('projects')
      .innerJoin('customers', 'customers.id', 'projects.customer_id')
      .innerJoin('users', 'users.id', 'projects.creator_id')
      .select(projectColumns.map((column) => `projects.${column}` as const))
      .select([
        'document_file_ids',
        'customers.name as customer_name',
        'customers.email as customer_email',
        'users.name as creator_name',
        'users.email as creator_email',
      ])
    const found =
      'id' in which
        ? projects.where('projects.id', '=', which.id)
        : projects.where('unique_code', '=', which.uniqueCode).where('removed_at', 'is', null)
    return found.executeTakeFirst()
  })
  return (
    row && {
      ...toProject(row),
      ...(await readParts(database, row.id)),
      customer: { id: row.customer_id, name: row.customer_name, email: row.customer_email },
      creator: { id: row.creator_id, name: row.creator_name, email: row.creator_email },
      documentFileIds: parseTexts(row.document_file_ids),
    }
  )
}
