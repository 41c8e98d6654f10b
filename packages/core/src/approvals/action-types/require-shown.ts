import type { DisplayDefinition, LineDefinition } from '@countersign/contract/display'
import { descriptions, isSchemaObject, plainKeywords, type Schema, type SchemaObject } from '../../shared/draft-07.ts'
import { pointerKey } from './display-definition.ts'
import { DisplayRefused } from './errors.ts'

/** The keywords of a schema whose every member can be named in advance. */
const allowed = {
  object: ['type', ...plainKeywords.object, ...descriptions],
  array: ['type', ...plainKeywords.array, ...descriptions],
  scalar: ['type', 'enum', 'const', ...plainKeywords.string, ...plainKeywords.number, ...descriptions],
}

const scalarTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean'])

type Kind = 'text' | 'number' | 'other' | 'list'

interface Leaf {
  readonly path: readonly string[]
  readonly kind: Kind
}

const nameOf = (path: readonly string[]): string => `/${path.join('/')}`

const refuseOthers = (schema: SchemaObject, keywords: readonly string[], path: readonly string[]): readonly string[] => {
  const others = Object.keys(schema).filter((keyword) => !keywords.includes(keyword))
  return others.map((keyword) => `${nameOf(path)} uses ${keyword}, which could admit members that no line shows`)
}

interface Found {
  readonly leaves: readonly Leaf[]
  readonly reasons: readonly string[]
}

const refused = (reason: string): Found => ({ leaves: [], reasons: [reason] })

const ofScalar = (schema: SchemaObject, path: readonly string[]): Found => {
  const kind = schema.type === 'string' ? 'text' : schema.type === 'boolean' ? 'other' : 'number'
  return { leaves: [{ path, kind }], reasons: refuseOthers(schema, allowed.scalar, path) }
}

const ofArray = (schema: SchemaObject, path: readonly string[]): Found => {
  const { items } = schema
  const isList = isSchemaObject(items) && scalarTypes.has(items.type)
  if (!isList) return refused(`${nameOf(path)} must have items of one type: string, number, integer or boolean`)
  const reasons = [...refuseOthers(schema, allowed.array, path), ...refuseOthers(items, allowed.scalar, path)]
  return { leaves: [{ path, kind: 'list' }], reasons }
}

const ofObject = (schema: SchemaObject, path: readonly string[]): Found => {
  if (schema.additionalProperties !== false) return refused(`${nameOf(path)} must have additionalProperties: false`)
  const properties = isSchemaObject(schema.properties) ? schema.properties : {}
  if (path.length > 0 && Object.keys(properties).length === 0) return refused(`${nameOf(path)} must have properties to show`)
  const found = Object.entries(properties).map(([name, member]) => membersOf(member as Schema, [...path, name]))
  return {
    leaves: found.flatMap(({ leaves }) => leaves),
    reasons: [...refuseOthers(schema, allowed.object, path), ...found.flatMap(({ reasons }) => reasons)],
  }
}

const membersOf = (schema: Schema, path: readonly string[]): Found => {
  if (!isSchemaObject(schema)) return refused(`${nameOf(path)} must have a type`)
  if (schema.type === 'object') return ofObject(schema, path)
  if (schema.type === 'array') return ofArray(schema, path)
  if (scalarTypes.has(schema.type)) return ofScalar(schema, path)
  return refused(`${nameOf(path)} must have one type: object, array, string, number, integer or boolean`)
}

const fits: Readonly<Record<LineDefinition['format'], readonly Kind[]>> = {
  text: ['text', 'number', 'other'],
  date: ['text'],
  list: ['list'],
  money: ['number'],
}

const shownMembers = (line: LineDefinition): readonly (readonly [pointer: string, kinds: readonly Kind[]])[] =>
  line.format === 'money'
    ? [
        [line.pointer, fits.money],
        [line.currency, ['text']],
      ]
    : [[line.pointer, fits[line.format]]]

/**
 * Checks that a device can show every member of every payload that the schema accepts. Only schemas for which this is plain are
 * accepted: each object is closed, and keywords such as `anyOf` and `$ref` are refused. @throws DisplayRefused naming each member
 */
export const requireShown = (schema: Schema, { lines }: DisplayDefinition): void => {
  const root =
    isSchemaObject(schema) && schema.type === 'object' ? membersOf(schema, []) : refused('the schema must have type object')
  const leaves = new Map(root.leaves.map((leaf) => [JSON.stringify(leaf.path), leaf]))
  const shown = lines.flatMap(shownMembers)
  const seen = new Set(shown.map(([pointer]) => pointerKey(pointer)))
  const misfits = shown.flatMap(([pointer, kinds]) => {
    const leaf = leaves.get(pointerKey(pointer))
    if (leaf === undefined) return [`${pointer} names no member of the schema`]
    return kinds.includes(leaf.kind) ? [] : [`${pointer} has a type that its format cannot show`]
  })
  const hidden = [...leaves].filter(([key]) => !seen.has(key)).map(([, { path }]) => `${nameOf(path)} has no line`)
  const reasons = [...root.reasons, ...misfits, ...hidden]
  if (reasons.length > 0) throw new DisplayRefused(reasons)
}
