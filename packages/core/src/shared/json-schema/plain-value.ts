/** What a value may be at most to be validated: bounds the work of merely looking at it. */
const limits = {
  /** As deep as a request's body may be nested. */
  depth: 64,
  /** Items, members and what they hold. */
  values: 20_000,
  /** As many as fit into a request's body. */
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

/** Looks at a value level by level, so that no depth can use up the stack. @returns what it must be, where it is not */
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
      // Names are listed faster than values, so they are what is counted.
      const count = Array.isArray(member) ? member.length : Object.keys(member).length
      if (values + next.length + count > limits.values) return `must hold at most ${limits.values} values`
      for (const inner of Object.values(member)) next.push(inner)
    }
    if (characters > limits.characters) return `must hold at most ${limits.characters} characters`
    level = next
  }
  return undefined
}
