import { isDeepStrictEqual } from 'node:util'
import type { ImportCounts } from '../../../projects/resources/store.ts'
import type { Instant } from '../../../shared/clock.ts'
import { deleteWhere, type StagedRow } from '../tables.ts'

/** Returns the key of an entry. */
type KeyOf<T> = (entry: T) => string

/** Stages the entries of an import. The last of several entries with the same key counts. */
export const stageEntries = <T>(
  staged: Map<string, StagedRow<T>>,
  keyOf: KeyOf<T>,
  { importId, entries, now }: { readonly importId: string; readonly entries: readonly T[]; readonly now: Instant },
): void => {
  for (const entry of entries) {
    staged.set(`${importId}\0${keyOf(entry)}`, structuredClone({ importId, stagedAt: now, entry }))
  }
}

export const discardStaged = <T>(staged: Map<string, StagedRow<T>>, importId: string): number =>
  deleteWhere(staged, (row) => row.importId === importId)

/** Commits the entries of an import. A replaced entry keeps its id. */
export const commitStaged = <T extends { readonly id: string }>(
  staged: Map<string, StagedRow<T>>,
  target: Map<string, T>,
  keyOf: KeyOf<T>,
  importId: string,
): ImportCounts => {
  const counts = { imported: 0, updated: 0 }
  for (const { entry } of [...staged.values()].filter((row) => row.importId === importId)) {
    const known = target.get(keyOf(entry))
    const committed = { ...entry, id: known?.id ?? entry.id }
    if (known === undefined) counts.imported += 1
    else if (!isDeepStrictEqual(known, committed)) counts.updated += 1
    target.set(keyOf(entry), committed)
  }
  discardStaged(staged, importId)
  return counts
}
