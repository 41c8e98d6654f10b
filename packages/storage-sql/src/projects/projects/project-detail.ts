import type { Product, Project, ProjectDetail } from '@countersign/core/storage'
import type { Kysely } from 'kysely'
import type { Database } from '../../shared/database.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'
import { parseTexts } from '../../shared/record-mapping.ts'
import type { Row, Tables } from '../../tables/index.ts'
import { productMapping, projectColumns, toProject } from './project-rows.ts'

const toProduct = (row: Row<'products'>): Product => ({
  ...productMapping.toRecord(row),
  attributes: JSON.parse(row.attributes) as Product['attributes'],
})

interface OfProject {
  readonly projectId: string
}

const productsOf = preparedQuery(
  (db, { projectId }: OfProject) => db.selectFrom('products').selectAll().where('project_id', '=', projectId).orderBy('position'),
  toProduct,
)

const tasksOf = preparedQuery((db, { projectId }: OfProject) =>
  db
    .selectFrom('resources')
    .select(['id', 'name', 'status'])
    .where('project_id', '=', projectId)
    .where('type', '=', 'Task')
    .orderBy('id'),
)

const participantsOf = preparedQuery((db, { projectId }: OfProject) =>
  db
    .selectFrom('project_participants')
    .innerJoin('users', 'users.id', 'project_participants.user_id')
    .select(['users.id', 'users.name', 'users.email'])
    .where('project_id', '=', projectId)
    .orderBy('position'),
)

const projects = (db: Kysely<Tables>) =>
  db
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

const projectById = preparedQuery((db, { id }: { readonly id: string }) => projects(db).where('projects.id', '=', id))

const visibleByCode = preparedQuery((db, { uniqueCode }: { readonly uniqueCode: string }) =>
  projects(db).where('unique_code', '=', uniqueCode).where('removed_at', 'is', null),
)

/** Reads a project with all of its objects in a fixed number of statements: by code if it is not removed, or by id in any case. */
export const readDetail = async (
  database: Database,
  which: Pick<Project, 'uniqueCode'> | Pick<Project, 'id'>,
): Promise<ProjectDetail | undefined> => {
  const row = await ('id' in which ? projectById.first(database, which) : visibleByCode.first(database, which))
  if (row === undefined) return undefined
  const { id: projectId } = row
  const [products, tasks, participants] = await Promise.all([
    productsOf.all(database, { projectId }),
    tasksOf.all(database, { projectId }),
    participantsOf.all(database, { projectId }),
  ])
  return {
    ...toProject(row),
    products,
    tasks,
    participants,
    customer: { id: row.customer_id, name: row.customer_name, email: row.customer_email },
    creator: { id: row.creator_id, name: row.creator_name, email: row.creator_email },
    documentFileIds: parseTexts(row.document_file_ids),
  }
}
