import type { JsonSchema } from './schema.ts'

const orNull = (schema: JsonSchema): JsonSchema => {
  if (schema.anyOf?.some(({ type }) => type === 'null') === true) return schema
  if (schema.anyOf !== undefined) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] }
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const { type, enum: values, ...rest } = schema
  const nullable = { ...rest, type: [type, 'null'], ...(values === undefined ? {} : { enum: [...values, null] }) }
  // JSON Schema allows a list of types (draft 2020-12 §6.1.1). The TypeScript type does not.
  return nullable as unknown as JsonSchema
}

/** Returns the schema of a body with `null`, which means absent, allowed for each optional member, at any depth. */
export const withNullForAbsent = (schema: JsonSchema): JsonSchema => {
  const { properties, items, required = [] } = schema
  return {
    ...schema,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, member]) => {
              const inner = withNullForAbsent(member as JsonSchema)
              return [name, required.includes(name) ? inner : orNull(inner)]
            }),
          ),
        }),
    ...(typeof items === 'object' && !Array.isArray(items) ? { items: withNullForAbsent(items) } : {}),
  }
}
