import type { Part } from '@countersign/core'
import { allParts, checkedParts } from '@countersign/core/storage'

/**
 * Returns the parts whose tables a storage has, each after the parts that its tables refer to. Identity and approvals change each
 * other's rows in one transaction, so a storage has the tables of both.
 *
 * @throws TypeError if the value is not a list of parts
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
