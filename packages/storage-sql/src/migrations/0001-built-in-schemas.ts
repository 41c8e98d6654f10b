const software = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Software',
  type: 'object',
  required: ['name', 'version', 'licenseType'],
  properties: {
    name: { type: 'string' },
    version: { type: 'string', pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' },
    licenseType: { type: 'string' },
    deployment: {
      type: 'object',
      properties: { type: { type: 'string' }, platforms: { type: 'array', items: { type: 'string' } } },
    },
    support: { type: 'object', properties: { type: { type: 'string' }, sla: { type: 'string' } } },
  },
}

const service = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Service',
  type: 'object',
  required: ['serviceType', 'duration', 'unit'],
  properties: {
    serviceType: { type: 'string' },
    duration: { type: 'number' },
    unit: { type: 'string' },
    deliveryMethod: { type: 'string' },
    consultantLevel: { type: 'string' },
  },
}

const rowOf = (type: string, schema: typeof software | typeof service) => ({
  key: `product_schema:${type}:v1.0.0`,
  type,
  version: '1.0.0',
  title: schema.title,
  active: 1,
  required_fields: JSON.stringify(schema.required),
  registered_at: 0,
  schema_text: JSON.stringify(schema),
})

export const builtInSchemas = [rowOf('software', software), rowOf('service', service)] as const
