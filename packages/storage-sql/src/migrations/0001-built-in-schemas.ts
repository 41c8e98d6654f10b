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

/** The rows of the built-in product schemas. */
export const builtInSchemas = [
  {
    key: 'product_schema:software:v1.0.0',
    type: 'software',
    version: '1.0.0',
    title: 'Software',
    active: 1,
    required_fields: JSON.stringify(software.required),
    registered_at: 0,
    schema_text: JSON.stringify(software),
  },
  {
    key: 'product_schema:service:v1.0.0',
    type: 'service',
    version: '1.0.0',
    title: 'Service',
    active: 1,
    required_fields: JSON.stringify(service.required),
    registered_at: 0,
    schema_text: JSON.stringify(service),
  },
] as const
