/** A schema that the first migration of projects registers. */
export interface BuiltInSchema {
  readonly type: string
  readonly version: string
  readonly title: string
  /** Draft-07. */
  readonly schema: { readonly required: readonly string[] } & Readonly<Record<string, unknown>>
}

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'
const text = { type: 'string' } as const

/** The product types of every new database. Their schemas allow additional members. */
export const builtInSchemas: readonly BuiltInSchema[] = [
  {
    type: 'software',
    version: '1.0.0',
    title: 'Software',
    schema: {
      $schema: DRAFT_07,
      title: 'Software',
      type: 'object',
      required: ['name', 'version', 'licenseType'],
      properties: {
        name: text,
        version: { type: 'string', pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' },
        licenseType: text,
        deployment: { type: 'object', properties: { type: text, platforms: { type: 'array', items: text } } },
        support: { type: 'object', properties: { type: text, sla: text } },
      },
    },
  },
  {
    type: 'service',
    version: '1.0.0',
    title: 'Service',
    schema: {
      $schema: DRAFT_07,
      title: 'Service',
      type: 'object',
      required: ['serviceType', 'duration', 'unit'],
      properties: {
        serviceType: text,
        duration: { type: 'number' },
        unit: text,
        deliveryMethod: text,
        consultantLevel: text,
      },
    },
  },
]
