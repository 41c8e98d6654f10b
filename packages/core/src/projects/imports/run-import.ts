import { randomUuid } from '../../shared/random.ts'
import type { ProjectDeps } from '../deps.ts'
import type { ImportCounts, ImportStore } from '../records/resource.ts'

/**
 * Stages the batches of an import, then commits all of them in one transaction. If a batch fails, deletes the staged lines.
 *
 * @param onProgress Called after each batch with the number of lines read so far.
 */
export const runImport = async <T>(
  { clock, random }: Pick<ProjectDeps, 'clock' | 'random'>,
  store: ImportStore<T>,
  batches: AsyncIterable<{ readonly lines: number; readonly entries: readonly T[] }>,
  onProgress: (lines: number) => void = () => {},
): Promise<ImportCounts> => {
  const importId = randomUuid(random)
  let read = 0
  try {
    for await (const { lines, entries } of batches) {
      await store.stage(importId, entries, clock.now())
      read += lines
      onProgress(read)
    }
  } catch (error) {
    await store.discardImport(importId)
    throw error
  }
  return store.commitImport(importId)
}
