import { type Project, searchedText } from '@countersign/core/storage'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { ProjectsTable } from '../../tables/index.ts'

/**
 * Stands for a missing date: one millisecond after the last possible instant (ECMA-262 §21.4.1.1), so that it sorts after every
 * date.
 */
const NO_DATE = 8_640_000_000_000_001

export const projectColumns = [
  'id',
  'unique_code',
  'name',
  'status',
  'progress',
  'contract_value',
  'currency',
  'description',
  'reply_date',
  'customer_id',
  'creator_id',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof ProjectsTable)[]

/** The columns that a new row of `projects` sets. */
export const insertedColumns = [...projectColumns, 'searched_text', 'document_file_ids'] as const

/** The table `projects` in raw SQL. */
export const projectsTable = sql.table('projects')

/** Returns a column of `projects` in raw SQL. */
export const projectColumn = (name: keyof ProjectsTable) => sql.ref(`projects.${name}`)

/** The columns of a `Project` in raw SQL. */
export const selectedColumns = sql.join(projectColumns.map(projectColumn))

export type ProjectRow = Pick<Selectable<ProjectsTable>, (typeof projectColumns)[number]>

export const toProject = (row: ProjectRow): Project => ({
  id: row.id,
  uniqueCode: row.unique_code,
  name: row.name,
  status: row.status,
  progress: row.progress,
  contractValue: row.contract_value,
  currency: row.currency,
  description: row.description,
  replyDate: row.reply_date === NO_DATE ? null : row.reply_date,
  customerId: row.customer_id,
  creatorId: row.creator_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const fromProject = (
  project: Project & { readonly documentFileIds: readonly string[] },
): Pick<Insertable<ProjectsTable>, (typeof insertedColumns)[number]> => ({
  id: project.id,
  unique_code: project.uniqueCode,
  name: project.name,
  status: project.status,
  progress: project.progress,
  contract_value: project.contractValue,
  currency: project.currency,
  description: project.description,
  searched_text: searchedText(project),
  reply_date: project.replyDate ?? NO_DATE,
  customer_id: project.customerId,
  creator_id: project.creatorId,
  document_file_ids: JSON.stringify(project.documentFileIds),
  created_at: project.createdAt,
  updated_at: project.updatedAt,
})
