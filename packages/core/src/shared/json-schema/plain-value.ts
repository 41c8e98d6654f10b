/** The limits of a value that is validated. They bound the work of visiting the value. */
const limits = {
  /** The same as for request bodies. */
  depth: 64,
  /** The most values in total: the value itself, its members and items, and everything inside them. */
  values: 20_000,
  /** The most characters of all strings together. A request body cannot contain more. */
  characters: 1024 * 1024,
} as const

const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const isScalar = (value: unknown): boolean =>
  value === null ||
  typeof value === 'boolean' ||
  typeof value === 'string' ||
  (typeof value === 'number' && Number.isFinite(value))

/** Checks that a value is JSON within the limits. Returns the error message, or `undefined`. Does not recurse. */
export const plainValueComplaint = (value: unknown): string | undefined => {
  let values = 0
  let characters = 0
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limits.depth) return `must be nested at most ${limits.depth} deep`
    const next: unknown[] = []
    for (const member of level) {
      values += 1
      if (typeof member === 'string') characters += member.length
      if (isScalar(member)) continue
      if (typeof member !== 'object' || member === null || !(Array.isArray(member) || isPlainObject(member)))
        return 'must be JSON'
      // Listing names is faster than listing values.
      const count = Array.isArray(member) ? member.length : Object.keys(member).length
      if (values + next.length + count > limits.values) return `must hold at most ${limits.values} values`
      for (const inner of Object.values(member)) next.push(inner)
    }
    if (characters > limits.characters) return `must hold at most ${limits.characters} characters`
    level = next
  }
  return undefined
}
