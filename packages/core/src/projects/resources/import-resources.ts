import { randomUuid } from '../../shared/random.ts'
import type { ProjectImport } from '../deps.ts'
import { type ImportInput, runImport } from '../imports/run-import.ts'
import type { ImportCounts } from '../records/resource.ts'

/**
 * Imports resources of projects: all lines or none. A line replaces the resource that has the same project, type and external
 * id, so a second import of a file changes nothing. The import streams, so its memory does not grow with the file.
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
