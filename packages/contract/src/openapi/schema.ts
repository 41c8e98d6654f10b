import * as z from 'zod'

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** `input` for requests, `output` for responses. */
export type Direction = 'input' | 'output'

const isBoundOfIntegers = (bound: unknown): boolean => bound === Number.MIN_SAFE_INTEGER || bound === Number.MAX_SAFE_INTEGER

/** Returns the sentence with which the schema refuses a value: the values that the schema takes. */
const takesOf = (schema: z.core.$ZodType): string | undefined => {
  const said = (schema._zod.def.error as z.core.$ZodErrorMap | undefined)?.({ code: 'custom', input: undefined })
  return typeof said === 'string' ? said : undefined
}

/** Turns a record of known names into an object with these members. A record of any names needs no `propertyNames`. */
const nameMembers = (schema: JsonSchema): void => {
  const { propertyNames, additionalProperties } = schema
  if (typeof propertyNames !== 'object') return
  delete schema.propertyNames
  if (propertyNames.enum === undefined || additionalProperties === undefined) return
  delete schema.additionalProperties
  schema.properties = Object.fromEntries(propertyNames.enum.map((name) => [String(name), additionalProperties]))
}

/** Leaves out the members that take no value; see `renamedTo`. */
const leaveOutNever = (schema: JsonSchema): void => {
  const members = Object.entries(schema.properties ?? {}) as readonly (readonly [string, JsonSchema])[]
  const taken = members.filter(([, { not }]) => not === undefined)
  if (taken.length < members.length) schema.properties = Object.fromEntries(taken)
}

/** Makes a converted schema readable: removes additions of the conversion, and describes the field in words. */
const forReaders = (schema: JsonSchema, takes: string | undefined): void => {
  // The format replaces the long regular expression that checks the value.
  if (schema.format !== undefined) delete schema.pattern
  // Many validators compile patterns without Unicode properties. The description has the rule in words.
  if (schema.pattern?.includes('\\p{') === true) delete schema.pattern
  if (isBoundOfIntegers(schema.minimum)) delete schema.minimum
  if (isBoundOfIntegers(schema.maximum)) delete schema.maximum
  if (schema.minLength === 0) delete schema.minLength
  // A type given by hand replaces the alternatives.
  if (schema.type !== undefined) delete schema.anyOf
  // Responses may gain members, and unknown members of requests are ignored.
  if (schema.additionalProperties === false) delete schema.additionalProperties
  nameMembers(schema)
  leaveOutNever(schema)
  if (takes !== undefined) schema.description ??= takes
}

const amongComponents = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema

/** Makes a converter for the contract's schemas. The converter collects schemas with an id in `components`. */
export const schemaConverter = () => {
  const components: Record<string, JsonSchema> = {}

  const convert = (schema: z.ZodType, io: Direction): JsonSchema => {
    const converted = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        forReaders(jsonSchema, io === 'input' ? takesOf(zodSchema) : undefined)
        // The conversion leaves the default out if the schema transforms its value.
        if (io === 'input' && zodSchema._zod.def.type === 'default') jsonSchema.default = zodSchema._zod.def.defaultValue
      },
    })
    const { $schema: _, $defs = {}, ...rest } = amongComponents(converted)
    for (const [name, { id: __, ...definition }] of Object.entries($defs)) components[name] = definition
    return rest
  }

  return { components, convert }
}
