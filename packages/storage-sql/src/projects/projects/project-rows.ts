import { type Project, searchedText } from '@countersign/core/storage'
import { type Insertable, type Selectable, sql } from 'kysely'
import { recordMapping } from '../../shared/record-mapping.ts'
import type { ProjectsTable } from '../../tables/index.ts'

/** Stands for a missing date, after every date: one millisecond after the last possible instant (ECMA-262 §21.4.1.1). */
const NO_DATE = 8_640_000_000_000_001

const mapping = recordMapping(
  'id uniqueCode name status progress contractValue currency description replyDate customerId creatorId createdAt',
  'updatedAt',
)

export const projectColumns = mapping.columns

export const productMapping = recordMapping('id name productType description attributes schemaVersion')

/** The columns that a new row of `projects` sets. */
export const insertedColumns = [...projectColumns, 'searched_text', 'document_file_ids'] as const

export const projectsTable = sql.table('projects')

/** Returns a column of `projects` in raw SQL. */
export const projectColumn = (name: keyof ProjectsTable) => sql.ref(`projects.${name}`)

/** The columns of a `Project` in raw SQL. */
export const selectedColumns = sql.join(projectColumns.map(projectColumn))

export type ProjectRow = Pick<Selectable<ProjectsTable>, (typeof projectColumns)[number]>

export const toProject = (row: ProjectRow): Project => ({
  ...mapping.toRecord(row),
  replyDate: row.reply_date === NO_DATE ? null : row.reply_date,
})

export const fromProject = (
  project: Project & { readonly documentFileIds: readonly string[] },
): Pick<Insertable<ProjectsTable>, (typeof insertedColumns)[number]> => ({
  ...mapping.toRow(project),
  searched_text: searchedText(project),
  reply_date: project.replyDate ?? NO_DATE,
  document_file_ids: JSON.stringify(project.documentFileIds),
})
