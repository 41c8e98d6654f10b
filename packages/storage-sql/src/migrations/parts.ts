/** The parts that have tables. The tables of a part refer to tables of the parts before it. */
export const parts = ['identity', 'approvals', 'projects'] as const

/** A part that has tables. */
export type Part = (typeof parts)[number]

const isPart = (value: unknown): value is Part => (parts as readonly unknown[]).includes(value)

/**
 * Returns the parts whose tables a storage has. Identity and approvals change each other's rows in one transaction, so a storage
 * has the tables of both.
 *
 * @throws TypeError if the value is not a list of parts
 */
export const storedParts = (named: readonly Part[] = parts): readonly Part[] => {
  if (!Array.isArray(named) || !named.every(isPart)) {
    throw new TypeError(`parts must be a list of ${parts.join(', ')}`)
  }
  return parts.filter((part) => part !== 'projects' || named.includes(part))
}
