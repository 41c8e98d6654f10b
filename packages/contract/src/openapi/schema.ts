import * as z from 'zod'

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 has it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** Whether a schema is for what callers send or for what they receive. */
export type Direction = 'input' | 'output'

const isBoundOfIntegers = (bound: unknown): boolean => bound === Number.MIN_SAFE_INTEGER || bound === Number.MAX_SAFE_INTEGER

/** What the schema says of itself when it refuses: one sentence on what it takes. */
const takesOf = (schema: z.core.$ZodType): string | undefined => {
  const said = (schema._zod.def.error as z.core.$ZodErrorMap | undefined)?.({ code: 'custom', input: undefined })
  return typeof said === 'string' ? said : undefined
}

/** A record of a closed list of names is an object with these members; of any names, it needs no word about them. */
const nameMembers = (schema: JsonSchema): void => {
  const { propertyNames, additionalProperties } = schema
  if (typeof propertyNames !== 'object') return
  delete schema.propertyNames
  if (propertyNames.enum === undefined || additionalProperties === undefined) return
  delete schema.additionalProperties
  schema.properties = Object.fromEntries(propertyNames.enum.map((name) => [String(name), additionalProperties]))
}

/** Makes a converted schema one for readers: without what conversion adds, and with what the field takes in words. */
const forReaders = (schema: JsonSchema, takes: string | undefined): void => {
  // The format says it; the expression that checks it fills half a page.
  if (schema.format !== undefined) delete schema.pattern
  if (isBoundOfIntegers(schema.minimum)) delete schema.minimum
  if (isBoundOfIntegers(schema.maximum)) delete schema.maximum
  if (schema.minLength === 0) delete schema.minLength
  // A type given by hand stands for the forms that are read besides.
  if (schema.type !== undefined) delete schema.anyOf
  // Members may be added to answers, and unknown ones of requests are ignored.
  if (schema.additionalProperties === false) delete schema.additionalProperties
  nameMembers(schema)
  if (takes !== undefined) schema.description ??= takes
}

/** The same with references that lead to the document's components. */
const amongComponents = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema

/** Converts schemas of the contract, and keeps those with a name of their own apart, declared once. */
export const schemaConverter = () => {
  const components: Record<string, JsonSchema> = {}

  const convert = (schema: z.ZodType, io: Direction): JsonSchema => {
    const converted = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        forReaders(jsonSchema, io === 'input' ? takesOf(zodSchema) : undefined)
        // Left out by the conversion where what is read becomes something else.
        if (io === 'input' && zodSchema._zod.def.type === 'default') jsonSchema.default = zodSchema._zod.def.defaultValue
      },
    })
    const { $schema: _, $defs = {}, ...rest } = amongComponents(converted)
    for (const [name, { id: __, ...definition }] of Object.entries($defs)) components[name] = definition
    return rest
  }

  return { components, convert }
}
