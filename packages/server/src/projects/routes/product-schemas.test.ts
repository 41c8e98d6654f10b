import { describe, expect, it } from 'vitest'
import { signIn } from '../../testing/sign-in.ts'
import { createTestApp } from '../../testing/test-app.ts'

const service = {
  type: 'service',
  key: 'product_schema:service:v1.0.0',
  version: '1.0.0',
  title: 'Service',
  active: true,
  requiredFields: ['serviceType', 'duration', 'unit'],
}
const software = {
  type: 'software',
  key: 'product_schema:software:v1.0.0',
  version: '1.0.0',
  title: 'Software',
  active: true,
  requiredFields: ['name', 'version', 'licenseType'],
}

describe('GET /api/v1/product-schemas', () => {
  it('lists the registry for any logged-in user, built-in types first', async () => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const { status, body } = await test.call('productSchemas.list', {}, { token })
    expect([status, body]).toEqual([200, { data: { version: expect.stringMatching(/^\d+$/), schemas: [service, software] } }])
  })

  it('requires a token', async () => {
    const { status, body } = await (await createTestApp()).call('productSchemas.list')
    expect([status, body]).toMatchObject([401, { error: { code: 'UNAUTHORIZED' } }])
  })
})

describe('GET /api/v1/product-schemas/{type}', () => {
  it('lists the versions of one type, oldest first', async () => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const schemaText = JSON.stringify({ type: 'object', required: ['name', 'version', 'licenseType'] })
    for (const version of ['1.10.0', '1.9.0']) {
      await test.countersign.productSchemas.register({ type: 'software', version, schemaText, title: 'Later' })
    }
    const { data } = await test.ask('productSchemas.ofType', { type: 'software' }, { token })
    expect(data.schemas.map(({ version }) => version)).toEqual(['1.0.0', '1.9.0', '1.10.0'])
  })

  it.each(['hardware', 'Software', '__proto__', 'constructor'])('answers 404 for the type %s', async (type) => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const { status, body } = await test.call('productSchemas.ofType', { type }, { token })
    const error = { code: 'NOT_FOUND', message: 'Product schema not found', details: {}, statusCode: 404 }
    expect([status, body]).toEqual([404, { error }])
  })
})
