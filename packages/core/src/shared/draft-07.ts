/** A draft-07 schema. `true` accepts every value, `false` accepts none. */
export type Schema = boolean | SchemaObject

export interface SchemaObject {
  readonly [keyword: string]: unknown
}

export type Schemas = ReadonlyMap<string, Schema>

/** The value to which a subschema applies: the same value, a value inside it, or none unless a `$ref` names the subschema. */
type AppliesTo = 'same_value' | 'inner_value' | 'references_only'

interface Holder {
  readonly form: 'one' | 'list' | 'map'
  readonly appliesTo: AppliesTo
}

const holder = (form: Holder['form'], appliesTo: AppliesTo): Holder => ({ form, appliesTo })

/** The keywords that contain subschemas. `dependencies` may contain lists of names, and `items` a list of schemas. */
const holders: ReadonlyMap<string, Holder> = new Map([
  ['definitions', holder('map', 'references_only')],
  ['$defs', holder('map', 'references_only')],
  ['properties', holder('map', 'inner_value')],
  ['patternProperties', holder('map', 'inner_value')],
  ['additionalProperties', holder('one', 'inner_value')],
  ['propertyNames', holder('one', 'inner_value')],
  ['items', holder('one', 'inner_value')],
  ['additionalItems', holder('one', 'inner_value')],
  ['contains', holder('one', 'inner_value')],
  ['dependencies', holder('map', 'same_value')],
  ['allOf', holder('list', 'same_value')],
  ['anyOf', holder('list', 'same_value')],
  ['oneOf', holder('list', 'same_value')],
  ['not', holder('one', 'same_value')],
  ['if', holder('one', 'same_value')],
  ['then', holder('one', 'same_value')],
  ['else', holder('one', 'same_value')],
])

/** The keywords without subschemas that can refuse a value. */
const assertions = [
  'type enum const multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern',
  'minItems maxItems uniqueItems minProperties maxProperties required',
].flatMap((line) => line.split(' '))

const known = new Set([...holders.keys(), ...assertions, '$ref'])

/** Returns whether the keyword can refuse values. All other keywords, such as `format`, are annotations. */
export const isAssertion = (keyword: string): boolean => known.has(keyword)

/** The keywords that only describe. Their values are data, which contain no schema. */
export const descriptions = ['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples']

/** The plain keywords by the type that each looks at. In draft-07 a keyword accepts every value of another type. */
export const plainKeywords = {
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  string: ['format', 'minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
} as const

/** Returns whether draft-07 says what the member means, so that the member is no place for schemas of the author's own. */
export const isSchemaKeyword = (keyword: string): boolean =>
  known.has(keyword) || keyword === 'format' || descriptions.includes(keyword)

export const isSchemaObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isSchema = (value: unknown): value is Schema => typeof value === 'boolean' || isSchemaObject(value)

/** A subschema, with the path to it: the keyword, and the name or index in a map or list. */
export interface Subschema {
  readonly path: readonly string[]
  readonly appliesTo: AppliesTo
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

/** Returns the direct subschemas of a schema. Next to a `$ref`, only definitions count (draft-07, section 8.3). */
export const subschemas = (schema: Schema): readonly Subschema[] => {
  if (typeof schema === 'boolean') return []
  const isReference = Object.hasOwn(schema, '$ref')
  return Object.keys(schema).flatMap((keyword) => {
    const held = holders.get(keyword)
    if (held === undefined || (isReference && held.appliesTo !== 'references_only')) return []
    return membersOf(keyword, held.form, schema[keyword]).flatMap(([path, member]) =>
      isSchema(member) ? [{ path, appliesTo: held.appliesTo, schema: member }] : [],
    )
  })
}

/** Returns the schema without annotations, and with each direct subschema replaced. */
export const mapSubschemas = (schema: SchemaObject, replace: (subschema: Schema) => Schema): SchemaObject => {
  const replaced = (member: unknown): unknown => (isSchema(member) ? replace(member) : member)
  const isReference = Object.hasOwn(schema, '$ref')
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    const held = holders.get(keyword)
    if (isReference && keyword !== '$ref' && held?.appliesTo !== 'references_only') return []
    if (held === undefined) return isAssertion(keyword) ? [[keyword, value]] : []
    if (Array.isArray(value)) return [[keyword, value.map(replaced)]]
    if (held.form === 'one' || !isSchemaObject(value)) return [[keyword, replaced(value)]]
    return [[keyword, Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member)]))]]
  })
  return Object.fromEntries(entries)
}

/** Returns a JSON pointer after `#`, for people: without the escapes of a URI. */
export const toPointer = (path: readonly string[]): string =>
  `#${path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`

/** Returns the pointer as a URI fragment (RFC 6901 §6). */
export const toUriFragment = (pointer: string): string => `#${pointer.slice(1).split('/').map(encodeURIComponent).join('/')}`

/** Returns the path that a fragment names. Returns `undefined` for an anchor, and for a pointer with invalid escapes. */
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

/** A schema that another schema applies: its pointer, the keyword, and the value to which it applies. */
export interface AppliedSchema extends Pick<Subschema, 'appliesTo'> {
  readonly pointer: string
  readonly keyword: string
}

/** Returns the schemas that the schema at a pointer applies to a value or to its parts. A `$ref` applies its target only. */
export const appliedSchemas = (pointer: string, schema: Schema): readonly AppliedSchema[] => {
  if (isSchemaObject(schema) && typeof schema.$ref === 'string') {
    return [{ pointer: toPointer(fromReference(schema.$ref) ?? []), keyword: '$ref', appliesTo: 'same_value' }]
  }
  return subschemas(schema)
    .filter(({ appliesTo }) => appliesTo !== 'references_only')
    .map(({ path, appliesTo }) => ({ pointer: `${pointer}${toPointer(path).slice(1)}`, keyword: path[0] ?? '', appliesTo }))
}
