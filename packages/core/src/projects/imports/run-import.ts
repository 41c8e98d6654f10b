import type { ImportLine } from '../../shared/import-line.ts'
import { randomUuid } from '../../shared/random.ts'
import type { ProjectImport } from '../deps.ts'
import type { ImportCounts, ImportStore } from '../records/resource.ts'
import { type KnownLine, knownLines, type LineKind } from './import-lines.ts'

/** The lines of a file to import. */
export interface ImportInput {
  readonly lines: AsyncIterable<ImportLine>
  /** Called after each batch with the number of lines read so far. */
  readonly onProgress?: (lines: number) => void
}

interface Entries<K extends LineKind, T> {
  readonly kind: K
  readonly store: ImportStore<T>
  readonly entryOf: (line: KnownLine<K>) => T
  /** Names what an entry is about. A file may list a thing several times; the last entry counts. */
  readonly keyOf: (entry: T) => string
}

/** Stages the lines of an import batch by batch, then commits them in one transaction. A failed batch deletes the staged lines. */
export const runImport = async <K extends LineKind, T>(
  deps: ProjectImport,
  { lines, onProgress = () => {} }: ImportInput,
  { kind, store, entryOf, keyOf }: Entries<K, T>,
): Promise<ImportCounts> => {
  const importId = randomUuid(deps.random)
  let read = 0
  try {
    for await (const known of knownLines(deps, kind, lines)) {
      const entries = new Map(known.map(entryOf).map((entry) => [keyOf(entry), entry]))
      await store.stage(importId, [...entries.values()], deps.clock.now())
      read += known.length
      onProgress(read)
    }
  } catch (error) {
    await store.discardImport(importId)
    throw error
  }
  return store.commitImport(importId)
}
