import { type Checked, type ResourceType, resourceTypes } from '@countersign/contract'
import { type CallerOrAdmin, requireRight } from '../../identity/authentication/caller.ts'
import type { ProjectStorage } from '../deps.ts'
import { projectNotFound } from '../projects/shown-project.ts'

/** The number of a project's resources with one type and one status. */
export interface ResourceCount {
  readonly type: ResourceType
  readonly count: number
  readonly status: string
}

/** The status in the result for a type without resources. */
const NO_STATUS = 'none'

/**
 * Counts the resources of a project by type and status. The result is sorted by type, then by status.
 * @param input.resourceTypes The types to count; all types by default.
 * @throws Forbidden, ProjectNotFound
 * @example const counts = await countersign.resources.count({ caller, uniqueCode, resourceTypes: ['Task', 'Delivery'] })
 */
export async function countResources(
  { storage }: ProjectStorage,
  input: Checked<'projects.countResources'> & { readonly caller: CallerOrAdmin },
): Promise<readonly ResourceCount[]> {
  requireRight(input.caller, 'project.read')
  const counts = await storage.projects.resources.counts(input.uniqueCode)
  if (counts === undefined) throw projectNotFound(input.caller)
  const wanted = input.resourceTypes === undefined ? resourceTypes : input.resourceTypes
  return wanted.flatMap((type) => {
    const ofType = counts.filter((entry) => entry.type === type)
    if (ofType.length === 0) return [{ type, count: 0, status: NO_STATUS }]
    return ofType.toSorted((a, b) => (a.status < b.status ? -1 : 1)).map(({ status, count }) => ({ type, count, status }))
  })
}
