import { descriptions, isSchemaObject, plainKeywords } from '../../shared/draft-07.ts'

const anyType = ['type', 'enum', 'const', ...descriptions]

const complaintAt = (schema: unknown, pointer: string): string | undefined => {
  if (typeof schema === 'boolean') return undefined
  if (!isSchemaObject(schema)) return `must have a schema at ${pointer}`
  for (const keyword of Object.keys(schema)) {
    const known = Object.entries(plainKeywords).find(([, keywords]) => (keywords as readonly string[]).includes(keyword))
    if (known === undefined && !anyType.includes(keyword)) return `must not use ${keyword} at ${pointer}`
    const [type] = known ?? []
    const isGiven = type === undefined || schema.type === type || (type === 'number' && schema.type === 'integer')
    // The payload itself is always an object.
    if (!isGiven && !(type === 'object' && pointer === '/')) {
      return `must have type ${type} at ${pointer}: without it, ${keyword} accepts every value of another type`
    }
  }
  const { properties = {}, items, additionalProperties } = schema
  if (!isSchemaObject(properties)) return `must have an object of schemas as properties at ${pointer}`
  const inner = [...Object.entries(properties), ['items', items], ['additionalProperties', additionalProperties]] as const
  for (const [name, member] of inner) {
    const complaint = member === undefined ? undefined : complaintAt(member, `${pointer === '/' ? '' : pointer}/${name}`)
    if (complaint !== undefined) return complaint
  }
  return undefined
}

/** Returns what is wrong with the `when` of a band. Without a `type`, an amount sent as text would be below every maximum. */
export const complaintAboutWhen = (schema: unknown): string | undefined => complaintAt(schema, '/')
