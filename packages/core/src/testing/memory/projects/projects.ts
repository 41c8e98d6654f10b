import type { ProjectSortKey } from '@countersign/contract'
import type { Contact, Project, ProjectDetail } from '../../../projects/projects/project.ts'
import { rolesOf } from '../../../projects/projects/project-roles.ts'
import { searchedText } from '../../../projects/projects/searched-text.ts'
import type { NewProject, ProjectQuery, ProjectStore } from '../../../projects/projects/store.ts'
import { isLiveSession } from '../identity/sessions.ts'
import { byCodePoints, insert, type ProjectRow, type Run, replaceWhere, type Tables } from '../tables.ts'

const visibleProjects = ({ projects }: Tables): NewProject[] =>
  [...projects.values()].filter(({ removedAt }) => removedAt === null).map(({ project }) => project)

/** Returns the project with this code, unless it was removed. */
export const visibleProject = (tables: Tables, uniqueCode: string): NewProject | undefined =>
  visibleProjects(tables).find((project) => project.uniqueCode === uniqueCode)

/** Replaces the project with this code, unless it was removed. Returns the new project. */
const changeVisible = (tables: Tables, uniqueCode: string, change: (row: ProjectRow) => ProjectRow): ProjectRow | undefined => {
  const id = visibleProject(tables, uniqueCode)?.id
  return id === undefined ? undefined : replaceWhere(tables.projects, id, () => true, change)
}

const toListed = ({ products: _, participantIds: __, documentFileIds: ___, ...project }: NewProject): Project => project

const toDetail = (tables: Tables, project: NewProject): ProjectDetail => {
  const contact = (id: number): Contact => {
    const user = tables.users.get(id)
    if (user === undefined) throw new Error('a project names a user who is not there')
    return { id, name: user.name, email: user.email }
  }
  const customer = tables.customers.get(project.customerId)
  if (customer === undefined) throw new Error('a project names a customer who is not there')
  const tasks = [...tables.resources.values()].filter(({ projectId, type }) => projectId === project.id && type === 'Task')
  return {
    ...toListed(project),
    customer: { id: customer.id, name: customer.name, email: customer.email },
    creator: contact(project.creatorId),
    tasks: tasks.sort((a, b) => byCodePoints(a.id, b.id)).map(({ id, name, status }) => ({ id, name, status })),
    products: project.products,
    participants: project.participantIds.map(contact),
    documentFileIds: project.documentFileIds,
  }
}

/** Returns the sort key of a project. */
const sortValues: Readonly<Record<ProjectSortKey, (project: Project) => string | number>> = {
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
  name: ({ name }) => name,
  unique_code: ({ uniqueCode }) => uniqueCode,
  contract_value: ({ contractValue }) => contractValue,
  reply_date: ({ replyDate }) => replyDate ?? Number.POSITIVE_INFINITY,
  status: ({ status }) => status,
  progress: ({ progress }) => progress,
}

const compare = (a: string | number, b: string | number): number => {
  if (typeof a === 'string' && typeof b === 'string') return byCodePoints(a, b)
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Returns all projects that match a query, sorted. */
const matching = (tables: Tables, { filters, needle, sort, direction }: ProjectQuery): Project[] => {
  const sortedBy = sortValues[sort]
  const rising = visibleProjects(tables)
    .filter(
      (project) =>
        (filters.status ?? project.status) === project.status &&
        (filters.customerId ?? project.customerId) === project.customerId &&
        (filters.progress ?? project.progress) === project.progress &&
        (needle === undefined || searchedText(project).includes(needle)),
    )
    .map(toListed)
    .sort((a, b) => compare(sortedBy(a), sortedBy(b)) || byCodePoints(a.id, b.id))
  return direction === 'asc' ? rising : rising.reverse()
}

/** Adds a project, unless another one has its code. Returns whether the project was added. */
const add = ({ projects }: Tables, project: NewProject): boolean => {
  if ([...projects.values()].some((row) => row.project.uniqueCode === project.uniqueCode)) return false
  insert(projects, project.id, { project, removedAt: null, removedBy: null })
  return true
}

export const memoryProjects = (run: Run): ProjectStore => ({
  create: (project) => run((tables) => add(tables, project)),
  createNumbered: (project, year, codeOf, sessionId) =>
    run((tables) => {
      if (sessionId !== undefined && !isLiveSession(tables, sessionId, project.creatorId)) return false
      const number = (tables.projectNumbers.get(year) ?? 0) + 1
      const uniqueCode = codeOf(number)
      tables.projectNumbers.set(year, number)
      return add(tables, { ...project, uniqueCode }) ? uniqueCode : undefined
    }),
  byCode: (uniqueCode) =>
    run((tables) => {
      const project = visibleProject(tables, uniqueCode)
      return project === undefined ? undefined : toDetail(tables, project)
    }),
  detail: (project) =>
    run((tables) => {
      const row = tables.projects.get(project.id)
      if (row === undefined) throw new Error('a project that was never created has nothing that belongs to it')
      return { ...toDetail(tables, row.project), ...project }
    }),
  list: (query) =>
    run((tables) => {
      const all = matching(tables, query)
      return { projects: all.slice(query.offset, query.offset + query.limit), total: all.length }
    }),
  references: (uniqueCodes) =>
    run((tables) =>
      visibleProjects(tables)
        .filter(({ uniqueCode }) => uniqueCodes.includes(uniqueCode))
        .map(({ id, uniqueCode, currency }) => ({ id, uniqueCode, currency })),
    ),
  ofPerson: (userId) =>
    run(({ projects }) =>
      [...projects.values()]
        .sort((a, b) => a.project.createdAt - b.project.createdAt || byCodePoints(a.project.id, b.project.id))
        .map(({ project: { uniqueCode, createdAt, creatorId, participantIds }, removedAt, removedBy }) => ({
          uniqueCode,
          createdAt,
          removedAt,
          roles: rolesOf(userId, { creatorId, isParticipant: participantIds.includes(userId), removedBy }),
        }))
        .filter(({ roles }) => roles.length > 0),
    ),
  change: (uniqueCode, change, now, check) =>
    run((tables) => {
      const row = changeVisible(tables, uniqueCode, (found) => {
        check?.(toListed(found.project))
        return { ...found, project: { ...found.project, ...change, updatedAt: now } }
      })
      return row && toListed(row.project)
    }),
  remove: (uniqueCode, removedBy, now, check) =>
    run((tables) => {
      const removed = changeVisible(tables, uniqueCode, (row) => {
        check?.(toListed(row.project))
        return { ...row, removedAt: now, removedBy }
      })
      return removed !== undefined
    }),
})
