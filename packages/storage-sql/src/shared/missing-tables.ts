import { tableNames } from '../tables/index.ts'

/** Says to the operator which tables a database lacks. */
export const missingTables = (missing: readonly string[]): string => {
  const which =
    missing.length === tableNames.length ? 'it has no tables of Countersign' : `it lacks ${missing.toSorted().join(', ')}`
  return `${which}; \`countersign migrate\` makes them`
}
