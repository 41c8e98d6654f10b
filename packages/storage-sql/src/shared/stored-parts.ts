import type { Part } from '@countersign/core'
import { allParts, checkedParts } from '@countersign/core/storage'

/**
 * Returns the parts whose tables a storage has, each after those that it refers to: identity and approvals always, because they
 * change each other's rows. @throws TypeError if the value is not a list of parts
 */
export const storedParts = (named?: readonly Part[]): readonly Part[] => {
  const chosen = checkedParts(named)
  return allParts.filter((part) => part !== 'projects' || chosen.has(part))
}

/** Says to the operator which of the wanted tables a database lacks. */
export const missingTables = (missing: readonly string[], wanted: readonly string[]): string => {
  const which = missing.length === wanted.length ? 'it has no tables of Countersign' : `it lacks ${missing.toSorted().join(', ')}`
  return `${which}; \`countersign migrate\` makes them`
}
