import type { Checked } from '@countersign/contract'
import { type CallerOrAdmin, requireRight } from '../../identity/authentication/caller.ts'
import { fold } from '../../shared/fold.ts'
import type { ProjectStorage } from '../deps.ts'
import type { Project } from '../records/project.ts'

/** One page of a list of projects. */
export interface ProjectList {
  readonly projects: readonly Project[]
  readonly page: number
  readonly limit: number
  /** The exact number of all matching projects. */
  readonly total: number
}

/**
 * Returns one page of the projects that match all filters. `search` matches inside name and description, ignores case in every
 * script, and has no wildcards. A page past the end is empty.
 * @throws Forbidden
 * @example const { projects, total } = await countersign.projects.list({ caller, search: 'website', sortBy: 'name', limit: 20 })
 */
export async function listProjects(
  { storage }: ProjectStorage,
  input: Checked<'projects.list'> & { readonly caller: CallerOrAdmin },
): Promise<ProjectList> {
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
