/** Says to the operator which of the wanted tables a database lacks. */
export const missingTables = (missing: readonly string[], wanted: readonly string[]): string => {
  const which = missing.length === wanted.length ? 'it has no tables of Countersign' : `it lacks ${missing.toSorted().join(', ')}`
  return `${which}; \`countersign migrate\` makes them`
}
