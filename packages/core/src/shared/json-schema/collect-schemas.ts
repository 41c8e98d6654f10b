import {
  fromReference,
  isSchema,
  isSchemaKeyword,
  isSchemaObject,
  type Schema,
  type SchemaObject,
  subschemas,
  toPointer,
  toUriFragment,
} from '../draft-07.ts'
import { SchemaRefused } from './schema-refused.ts'

const DEPTH = 32

export interface CollectedSchemas {
  readonly schemas: ReadonlyMap<string, Schema>
  /** The paths of schemas that are below no keyword of draft-07, but that a `$ref` names. */
  readonly detached: readonly (readonly string[])[]
}

const NO_ID = 'http://document.invalid/schema'

const withoutFragment = (uri: string, base: string): string | undefined =>
  URL.canParse(uri, base) ? Object.assign(new URL(uri, base), { hash: '' }).href : undefined

/** Returns the fragment of a reference to the document with this `$id`; `undefined` for another document. */
const fragmentOf = (reference: string, id: unknown): string | undefined => {
  const [document = '', ...fragment] = reference.split('#')
  const base = withoutFragment(typeof id === 'string' ? id : '', NO_ID)
  const isOwn = document === '' || (base !== undefined && withoutFragment(document, base) === base)
  return isOwn ? `#${fragment.join('#')}` : undefined
}

/** Returns the path of the schema that a reference names. @throws SchemaRefused */
const pathOf = (reference: string, id: unknown, pointer: string): readonly string[] => {
  const fragment = fragmentOf(reference, id)
  if (fragment === undefined) {
    throw new SchemaRefused('must stay within the document: copy the other schema into definitions, and refer to it there', {
      pointer: `${pointer}/$ref`,
    })
  }
  const path = fromReference(fragment)
  if (path === undefined) {
    throw new SchemaRefused('must be # or a JSON pointer after #, such as #/definitions/address', { pointer: `${pointer}/$ref` })
  }
  return path
}

/** Returns the schema at a path that goes through members of other names than the keywords; `undefined` if there is none. */
const detachedSchema = (schemas: ReadonlyMap<string, Schema>, path: readonly string[]): Schema | undefined => {
  let depth = path.length
  while (!schemas.has(toPointer(path.slice(0, depth)))) depth -= 1
  if (isSchemaKeyword(path[depth] ?? '')) return undefined
  let value: unknown = schemas.get(toPointer(path.slice(0, depth)))
  for (const name of path.slice(depth)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return isSchema(value) ? value : undefined
}

/**
 * Collects the schemas of a document, with those that references name at any place. Writes each `$ref` as a plain JSON pointer.
 * @throws SchemaRefused for a reference to another document or to no schema, and for too deep nesting
 */
export const collectSchemas = (root: SchemaObject): CollectedSchemas => {
  const schemas = new Map<string, Schema>()
  const detached: (readonly string[])[] = []
  const visit = (path: readonly string[], schema: Schema, depth: number): void => {
    const pointer = toPointer(path)
    if (depth > DEPTH) {
      throw new SchemaRefused(`is nested too deep: at most ${DEPTH} schemas may stand in each other`, { pointer })
    }
    schemas.set(pointer, schema)
    for (const { path: step, schema: inner } of subschemas(schema)) visit([...path, ...step], inner, depth + 1)
  }
  visit([], root, 0)
  // The iteration also comes to the schemas that it adds.
  for (const [pointer, schema] of schemas) {
    if (!isSchemaObject(schema) || typeof schema.$ref !== 'string') continue
    const path = pathOf(schema.$ref, root.$id, pointer)
    const target = toPointer(path)
    if (!schemas.has(target)) {
      const found = detachedSchema(schemas, path)
      if (found === undefined) {
        throw new SchemaRefused('points to no schema: it must name a place of this document that holds one', {
          pointer: `${pointer}/$ref`,
        })
      }
      detached.push(path)
      visit(path, found, 0)
    }
    Object.assign(schema, { $ref: toUriFragment(target) })
  }
  return { schemas, detached }
}
