/** The parts of the product. Approvals depend on identity; projects may depend on both. */
export const allParts = ['identity', 'approvals', 'projects'] as const

/** One part of the product. */
export type Part = (typeof allParts)[number]

const isPart = (value: unknown): value is Part => (allParts as readonly unknown[]).includes(value)

/**
 * Returns the parts that a host names, and always `identity`. Returns all parts if the host names none.
 * @throws TypeError if the value is not a list of parts
 */
export const checkedParts = (given: readonly Part[] | undefined): ReadonlySet<Part> => {
  if (given === undefined) return new Set(allParts)
  if (!Array.isArray(given) || !given.every(isPart)) throw new TypeError(`parts must be a list of ${allParts.join(', ')}`)
  return new Set<Part>(['identity', ...given])
}
