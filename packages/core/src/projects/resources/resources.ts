import { resourceTypes } from '@countersign/contract'
import { requireRight } from '../../identity/authentication/caller.ts'
import { randomUuid } from '../../shared/random.ts'
import type { ByCaller, ProjectImport, ProjectStorage } from '../deps.ts'
import { type ImportInput, runImport } from '../imports/run-import.ts'
import { projectNotFound } from '../projects/shown-project.ts'
import type { ImportCounts, ResourceCount } from '../records/resource.ts'

/**
 * Imports resources of projects: all lines or none. A line replaces one of the same project, type and external id.
 * @throws InvalidImportLine
 * @example const { imported, updated } = await countersign.resources.import({ lines })
 */
export async function importResources(deps: ProjectImport, input: ImportInput): Promise<ImportCounts> {
  return runImport(deps, input, {
    kind: 'resource',
    store: deps.storage.projects.resources,
    entryOf: ({ value: { type, externalId, name, status }, project }) => {
      return { id: randomUuid(deps.random), projectId: project.id, type, externalId, name, status }
    },
    keyOf: ({ projectId, type, externalId }) => `${projectId} ${type} ${externalId}`,
  })
}

/** The status in the result for a type without resources. */
const NO_STATUS = 'none'

/**
 * Counts the resources of a project by type, all of them by default, and status, sorted.
 * @throws Forbidden, ProjectNotFound
 * @example const counts = await countersign.resources.count({ caller, uniqueCode, resourceTypes: ['Task', 'Delivery'] })
 */
export async function countResources(
  deps: ProjectStorage,
  input: ByCaller<'projects.countResources'>,
): Promise<readonly ResourceCount[]> {
  requireRight(input.caller, 'project.read')
  const counts = await deps.storage.projects.resources.counts(input.uniqueCode)
  if (counts === undefined) throw projectNotFound(input.caller)
  const { resourceTypes: wanted = resourceTypes } = input
  return wanted.flatMap((type) => {
    const ofType = counts.filter((entry) => entry.type === type)
    if (ofType.length === 0) return [{ type, count: 0, status: NO_STATUS }]
    return ofType.toSorted((a, b) => (a.status < b.status ? -1 : 1)).map(({ status, count }) => ({ type, count, status }))
  })
}
