import type { ImportLine } from '../../shared/import-line.ts'
import { randomUuid } from '../../shared/random.ts'
import type { ProjectDeps } from '../deps.ts'
import { knownLines, lastOfEach } from '../imports/import-lines.ts'
import { runImport } from '../imports/run-import.ts'
import type { ImportCounts, Resource } from '../records/resource.ts'

/**
 * Imports resources of projects: all lines or none. A line replaces the resource that has the same project, type and external
 * id, so a second import of a file changes nothing. The import streams, so its memory does not grow with the file.
 *
 * @throws InvalidImportLine
 */
export async function importResources(
  deps: Pick<ProjectDeps, 'storage' | 'clock' | 'random'>,
  input: { readonly lines: AsyncIterable<ImportLine>; readonly onProgress?: (lines: number) => void },
): Promise<ImportCounts> {
  async function* batches() {
    for await (const known of knownLines(deps, 'resource', input.lines)) {
      const resources = known.map(
        ({ value: { type, externalId, name, status }, project }): Resource => ({
          id: randomUuid(deps.random),
          projectId: project.id,
          type,
          externalId,
          name,
          status,
        }),
      )
      yield {
        lines: known.length,
        entries: lastOfEach(resources, ({ projectId, type, externalId }) => `${projectId} ${type} ${externalId}`),
      }
    }
  }
  return runImport(deps, deps.storage.projects.resources, batches(), input.onProgress)
}
