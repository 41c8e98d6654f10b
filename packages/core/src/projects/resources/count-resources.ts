import { type Checked, type ResourceType, resourceTypes } from '@countersign/contract'
import { type Actor, requireRight } from '../../identity/authentication/actor.ts'
import type { ProjectDeps } from '../deps.ts'
import { projectNotFound } from '../projects/not-found.ts'

/** How many resources of a type a project has in one status. */
export interface ResourceCount {
  readonly type: ResourceType
  readonly count: number
  readonly status: string
}

/** What a requested type without any resource is counted under. */
const NO_STATUS = 'none'

/**
 * How many resources a project has, an entry for each type and status, in the order of the types, then of the statuses.
 *
 * @param input.resourceTypes The types to count; all where left out.
 * @throws Forbidden, ProjectNotFound
 */
export const countResources = async (
  { storage }: Pick<ProjectDeps, 'storage'>,
  input: Checked<'projects.countResources'> & { readonly actor: Actor },
): Promise<readonly ResourceCount[]> => {
  requireRight(input.actor, 'project.read')
  const counts = await storage.projects.resources.counts(input.uniqueCode)
  if (counts === undefined) throw projectNotFound(input.actor)
  const wanted = input.resourceTypes === undefined ? resourceTypes : input.resourceTypes
  return wanted.flatMap((type) => {
    const ofType = counts.filter((entry) => entry.type === type)
    if (ofType.length === 0) return [{ type, count: 0, status: NO_STATUS }]
    return ofType.toSorted((a, b) => (a.status < b.status ? -1 : 1)).map(({ status, count }) => ({ type, count, status }))
  })
}
