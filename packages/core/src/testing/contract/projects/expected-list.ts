import { searchedText } from '../../../projects/projects/searched-text.ts'
import type { NewProject, ProjectQuery } from '../../../projects/records/project.ts'
import type { FullStorage } from '../../../storage.ts'

/** An independent definition of the sort order: returns the sort key of a project as a text that sorts by its bytes. */
const sortText = (project: NewProject, sort: ProjectQuery['sort']): string => {
  const number = (value: number) => {
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleBE(value + 0)
    for (let index = 0; index < 8; index += 1)
      bytes[index] = value < 0 ? 255 - (bytes[index] as number) : (bytes[index] as number)
    if (value >= 0) bytes[0] = (bytes[0] as number) | 0x80
    return bytes.toString('hex')
  }
  const texts: Record<ProjectQuery['sort'], string> = {
    created_at: number(project.createdAt),
    updated_at: number(project.updatedAt),
    name: project.name,
    unique_code: project.uniqueCode,
    contract_value: number(project.contractValue),
    reply_date: number(project.replyDate ?? Number.MAX_VALUE),
    status: project.status,
    progress: project.progress,
  }
  return texts[sort]
}

/** Returns the ids that a query must find, in order, without the limit of a page. */
export const expectedIds = (
  projects: readonly NewProject[],
  { filters, needle, sort, direction }: ProjectQuery,
): readonly string[] => {
  const ids = projects
    .filter(({ status }) => filters.status === undefined || filters.status === status)
    .filter(({ customerId }) => filters.customerId === undefined || filters.customerId === customerId)
    .filter(({ progress }) => filters.progress === undefined || filters.progress === progress)
    .filter((project) => needle === undefined || searchedText(project).includes(needle))
    .map((project) => ({ id: project.id, key: Buffer.from(sortText(project, sort)), tie: Buffer.from(project.id) }))
    .sort((a, b) => Buffer.compare(a.key, b.key) || Buffer.compare(a.tie, b.tie))
    .map(({ id }) => id)
  return direction === 'asc' ? ids : ids.reverse()
}

/** A query for all projects, newest first. */
export const plainQuery = {
  filters: {},
  needle: undefined,
  sort: 'created_at',
  direction: 'desc',
  offset: 0,
  limit: 100,
} as const

/** Returns how many projects match the filters. */
export const totalOf = async ({ projects }: FullStorage, filters: ProjectQuery['filters']): Promise<number> =>
  (await projects.projects.list({ ...plainQuery, filters, limit: 1 })).total
