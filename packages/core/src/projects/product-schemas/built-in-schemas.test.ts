import { describe, expect, it } from 'vitest'
import { checkSchema } from '../../shared/json-schema/check-schema.ts'
import { compileSchema } from '../../shared/json-schema/compile-schema.ts'
import { builtInSchemas } from './built-in-schemas.ts'

const complaintsOf = (type: string, attributes: unknown): readonly string[] => {
  const builtIn = builtInSchemas.find((schema) => schema.type === type)
  return compileSchema(checkSchema(JSON.stringify(builtIn?.schema)))(attributes).map(
    ({ field, message }) => `${field}: ${message}`,
  )
}

const software = { name: 'Engine', version: '1.2.3', licenseType: 'perpetual' }
const service = { serviceType: 'training', duration: 2.5, unit: 'days' }

describe('the built-in schema of software', () => {
  it('requires a name, a version and a licence type', () => {
    expect(complaintsOf('software', software)).toStrictEqual([])
    expect(complaintsOf('software', {})).toStrictEqual(['name: is required', 'version: is required', 'licenseType: is required'])
  })

  it.each(['1', '1.2', '1.2.3.4', 'v1.2.3', '1.2.x', '1.2.3\n', '١.٢.٣'])('refuses the version %j', (version) => {
    expect(complaintsOf('software', { ...software, version })).toStrictEqual([
      'version: must match the pattern ^[0-9]+\\.[0-9]+\\.[0-9]+$',
    ])
  })

  it('allows fields for deployment and support', () => {
    const more = { deployment: { type: 'cloud', platforms: ['linux', 'macos'] }, support: { type: 'standard', sla: '99.9%' } }
    expect(complaintsOf('software', { ...software, ...more })).toStrictEqual([])
    const wrong = { deployment: { type: 1, platforms: ['linux', 2] }, support: { sla: null } }
    expect(complaintsOf('software', { ...software, ...wrong })).toStrictEqual([
      'deployment.type: must be a string',
      'deployment.platforms[1]: must be a string',
      'support.sla: must be a string',
    ])
  })
})

describe('the built-in schema of a service', () => {
  it('requires a type, a duration and a unit', () => {
    expect(complaintsOf('service', service)).toStrictEqual([])
    expect(complaintsOf('service', {})).toStrictEqual(['serviceType: is required', 'duration: is required', 'unit: is required'])
  })

  it('allows fields for delivery and consultant', () => {
    expect(complaintsOf('service', { ...service, deliveryMethod: 'remote', consultantLevel: 'senior' })).toStrictEqual([])
    expect(complaintsOf('service', { ...service, duration: '2', deliveryMethod: 1 })).toStrictEqual([
      'duration: must be a number',
      'deliveryMethod: must be a string',
    ])
  })
})

it.each([
  ['software', software],
  ['service', service],
] as const)('%s may have other members', (type, attributes) => {
  expect(complaintsOf(type, { ...attributes, color: 'brass' })).toStrictEqual([])
})
