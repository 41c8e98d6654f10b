import { requireRight } from '../../identity/authentication/caller.ts'
import { fold } from '../../shared/fold.ts'
import type { ByCaller, ProjectStorage } from '../deps.ts'
import type { ProjectDetail, ProjectPage } from '../records/project.ts'
import { projectNotFound } from './shown-project.ts'

/**
 * Returns a project with everything that belongs to it. @throws Forbidden, ProjectNotFound
 * @example const project = await countersign.projects.get({ caller, uniqueCode: 'PRJ-2026-000001' })
 */
export async function getProject({ storage }: ProjectStorage, input: ByCaller<'projects.get'>): Promise<ProjectDetail> {
  requireRight(input.caller, 'project.read')
  const project = await storage.projects.projects.byCode(input.uniqueCode)
  if (project === undefined) throw projectNotFound(input.caller)
  return project
}

/** One page of a list of projects. */
export interface ProjectList extends ProjectPage {
  readonly page: number
  readonly limit: number
}

/**
 * Returns one page of the projects that match all filters, `search` in name and description, in any case; empty past the end.
 * @throws Forbidden
 * @example const { projects, total } = await countersign.projects.list({ caller, search: 'website', sortBy: 'name', limit: 20 })
 */
export async function listProjects({ storage }: ProjectStorage, input: ByCaller<'projects.list'>): Promise<ProjectList> {
  requireRight(input.caller, 'project.read')
  const { page, limit, search, sortBy, sortOrder, status, customerId, progress } = input
  const { projects, total } = await storage.projects.projects.list({
    filters: { status, customerId, progress },
    needle: search === undefined || search === '' ? undefined : fold(search),
    sort: sortBy,
    direction: sortOrder,
    // Bounded, so that sums with the offset stay exact integers. No list is that long.
    offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER - limit),
    limit,
  })
  return { projects, page, limit, total }
}
