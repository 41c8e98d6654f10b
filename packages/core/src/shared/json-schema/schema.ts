/** A draft-07 schema: `true` accepts everything, `false` nothing. */
export type Schema = boolean | SchemaObject

export interface SchemaObject {
  readonly [keyword: string]: unknown
}

/** Every schema in a document by the pointer to it. */
export type Schemas = ReadonlyMap<string, Schema>

/** Where a subschema applies: to the very value, to something inside it, or only where it is referred to. */
type Place = 'in_place' | 'inside' | 'elsewhere'

interface Holder {
  readonly form: 'one' | 'list' | 'map'
  readonly place: Place
}

const holder = (form: Holder['form'], place: Place): Holder => ({ form, place })

/** The keywords that hold subschemas. `dependencies` may hold lists of names, and `items` a list of schemas. */
const holders: ReadonlyMap<string, Holder> = new Map([
  ['definitions', holder('map', 'elsewhere')],
  ['$defs', holder('map', 'elsewhere')],
  ['properties', holder('map', 'inside')],
  ['patternProperties', holder('map', 'inside')],
  ['additionalProperties', holder('one', 'inside')],
  ['propertyNames', holder('one', 'inside')],
  ['items', holder('one', 'inside')],
  ['additionalItems', holder('one', 'inside')],
  ['contains', holder('one', 'inside')],
  ['dependencies', holder('map', 'in_place')],
  ['allOf', holder('list', 'in_place')],
  ['anyOf', holder('list', 'in_place')],
  ['oneOf', holder('list', 'in_place')],
  ['not', holder('one', 'in_place')],
  ['if', holder('one', 'in_place')],
  ['then', holder('one', 'in_place')],
  ['else', holder('one', 'in_place')],
])

/** The keywords whose meaning is to refuse values, besides those that hold subschemas. */
const assertions = [
  'type',
  'enum',
  'const',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'required',
] as const

const known = new Set<string>([...holders.keys(), ...assertions, '$ref'])

/** Whether the keyword decides about values. All others, `format` among them, are notes for people and programs. */
export const isDeciding = (keyword: string): boolean => known.has(keyword)

export const isSchemaObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSchema = (value: unknown): value is Schema => typeof value === 'boolean' || isSchemaObject(value)

/** A subschema and the way to it: the keyword that holds it and, in a list or map, its place there. */
export interface Subschema {
  readonly path: readonly string[]
  readonly place: Place
  readonly schema: Schema
}

const membersOf = (
  keyword: string,
  form: Holder['form'],
  value: unknown,
): readonly (readonly [path: string[], schema: unknown])[] => {
  if (form === 'one' && !Array.isArray(value)) return [[[keyword], value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([name, member]) => [[keyword, name], member])
}

/**
 * The direct subschemas of a schema, those of unknown keywords not among them. Beside a `$ref` only definitions count:
 * draft-07 ignores its siblings (section 8.3).
 */
export const subschemas = (schema: Schema): readonly Subschema[] => {
  if (typeof schema === 'boolean') return []
  const isReference = Object.hasOwn(schema, '$ref')
  return Object.keys(schema).flatMap((keyword) => {
    const held = holders.get(keyword)
    if (held === undefined || (isReference && held.place !== 'elsewhere')) return []
    return membersOf(keyword, held.form, schema[keyword]).flatMap(([path, member]) =>
      isSchema(member) ? [{ path, place: held.place, schema: member }] : [],
    )
  })
}

/** The same schema with each direct subschema replaced, and without what decides nothing. */
export const mapSubschemas = (schema: SchemaObject, replace: (subschema: Schema) => Schema): SchemaObject => {
  const replaced = (member: unknown): unknown => (isSchema(member) ? replace(member) : member)
  const isReference = Object.hasOwn(schema, '$ref')
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    const held = holders.get(keyword)
    if (isReference && keyword !== '$ref' && held?.place !== 'elsewhere') return []
    if (held === undefined) return isDeciding(keyword) ? [[keyword, value]] : []
    if (Array.isArray(value)) return [[keyword, value.map(replaced)]]
    if (held.form === 'one' || !isSchemaObject(value)) return [[keyword, replaced(value)]]
    return [[keyword, Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member)]))]]
  })
  return Object.fromEntries(entries)
}

/** A JSON pointer after `#`, for people: what a URI would escape stands as it is. */
export const toPointer = (path: readonly string[]): string =>
  `#${path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`

/** The same pointer as a fragment of a URI (RFC 6901 §6). */
export const toUriFragment = (pointer: string): string => `#${pointer.slice(1).split('/').map(encodeURIComponent).join('/')}`

/**
 * The path that a local `$ref` names; `undefined` where it names something else: another document, or an anchor.
 */
export const fromReference = (reference: string): readonly string[] | undefined => {
  if (reference === '#') return []
  if (!reference.startsWith('#/')) return undefined
  try {
    const parts = decodeURIComponent(reference.slice(2)).split('/')
    return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
