import { type Project, searchedText } from '@countersign/core/storage'
import { sql } from 'kysely'
import { recordMapping } from '../../shared/record-mapping.ts'
import type { Row, Tables } from '../../tables/index.ts'

/** Stands for a missing date, after every date: one millisecond after the last possible instant (ECMA-262 §21.4.1.1). */
const NO_DATE = 8_640_000_000_000_001

const mapping = recordMapping(
  'projects',
  'id uniqueCode name status progress contractValue currency description replyDate customerId creatorId createdAt',
  'updatedAt',
)

export const projectColumns = mapping.columns

export const productMapping = recordMapping('products', 'id name productType description schemaVersion')

export const insertedColumns = [...projectColumns, 'searched_text', 'document_file_ids'] as const

export const projectsTable = sql.table('projects')

export const projectColumn = (name: keyof Tables['projects']) => sql.ref(`projects.${name}`)

export const selectedColumns = sql.join(projectColumns.map(projectColumn))

export type ProjectRow = Pick<Row<'projects'>, (typeof projectColumns)[number]>

export const toProject = (row: ProjectRow): Project => ({
  ...mapping.toRecord(row),
  replyDate: row.reply_date === NO_DATE ? null : row.reply_date,
})

export const fromProject = (
  project: Project & { readonly documentFileIds: readonly string[] },
): Pick<Row<'projects'>, (typeof insertedColumns)[number]> => ({
  ...mapping.toRow({ ...project, replyDate: project.replyDate ?? NO_DATE }),
  searched_text: searchedText(project),
  document_file_ids: JSON.stringify(project.documentFileIds),
})
