import type { Checked } from '@countersign/contract'
import { type Actor, requireRight } from '../../identity/authentication/actor.ts'
import type { ProjectDeps } from '../deps.ts'
import type { Project } from './project.ts'
import { fold } from './searched-text.ts'

/** A page of the projects that were asked for. */
export interface ProjectList {
  readonly projects: readonly Project[]
  readonly page: number
  readonly limit: number
  /** How many match in all, exactly. */
  readonly total: number
}

/**
 * One page of the projects that have all that is asked for. `search` is looked for within name and description, in any
 * case of any script, and no character of it is special. A page past the end is empty. @throws Forbidden
 */
export const listProjects = async (
  { storage }: Pick<ProjectDeps, 'storage'>,
  input: Checked<'projects.list'> & { readonly actor: Actor },
): Promise<ProjectList> => {
  requireRight(input.actor, 'project.read')
  const { page, limit, search, sortBy, sortOrder, status, customerId, progress } = input
  const { projects, total } = await storage.projects.projects.list({
    filters: { status, customerId, progress },
    needle: search === undefined || search === '' ? undefined : fold(search),
    sort: sortBy,
    direction: sortOrder,
    // Bounded, so that what is counted with it stays exact. No list is so long, so any page there is past the end.
    offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER - limit),
    limit,
  })
  return { projects, page, limit, total }
}
