import { describe, expect, it } from 'vitest'
import { createProjectApp } from '../../testing/project-app.ts'

const uuid = expect.stringMatching(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/)

const software = { name: 'Scheduler', version: '1.2.3', licenseType: 'MIT', deployment: { type: 'cloud', platforms: ['linux'] } }

describe('POST /api/v1/projects', () => {
  it('creates a project with everything in it and answers 201', async () => {
    const test = await createProjectApp()
    const { user: mate } = await test.signInWith()
    const given = {
      name: 'Bridge Ω',
      contractValue: 1250.75,
      currency: 'CHF',
      description: 'Two lanes',
      replyDate: '2026-02-01T10:00:00+01:00',
      documentFileIds: ['file-1'],
      participantIds: [String(mate.id), String(test.user.id), String(mate.id)],
      products: [
        { name: 'OS', productType: 'software', description: 'Plans', attributes: software },
        { name: 'Care', productType: 'service', attributes: { serviceType: 'care', duration: 1.5, unit: 'h', '': 'extra' } },
      ],
    }
    const { status, body } = await test.call('projects.create', test.body(given), { token: test.token })
    expect(status).toBe(201)
    expect(body).toEqual({
      message: 'Project created',
      data: {
        id: uuid,
        uniqueCode: 'PRJ-2026-000001',
        name: 'Bridge Ω',
        status: 'pending',
        progress: 'technical_negotiating',
        contractValue: 1250.75,
        currency: 'CHF',
        description: 'Two lanes',
        replyDate: '2026-02-01T09:00:00.000Z',
        createdAt: '2026-01-05T09:00:00.000Z',
        updatedAt: '2026-01-05T09:00:00.000Z',
        customer: { id: test.customerId, name: 'ACME GmbH', email: 'office@acme.test' },
        creator: { id: String(test.user.id), name: test.user.name, email: test.user.email },
        tasks: [],
        products: [
          {
            id: uuid,
            name: 'OS',
            productType: 'software',
            description: 'Plans',
            attributes: software,
            schemaVersion: '1.0.0',
          },
          {
            id: uuid,
            name: 'Care',
            productType: 'service',
            description: '',
            attributes: { serviceType: 'care', duration: 1.5, unit: 'h', '': 'extra' },
            schemaVersion: '1.0.0',
          },
        ],
        participants: [
          { id: String(mate.id), name: mate.name, email: mate.email },
          { id: String(test.user.id), name: test.user.name, email: test.user.email },
        ],
      },
    })
  })

  it('requires only a name, a customer, a value and a currency', async () => {
    const test = await createProjectApp()
    const project = await test.create({ contractValue: 0 })
    expect(project).toMatchObject({ contractValue: 0, description: '', replyDate: null, products: [], participants: [] })
    const { status, body } = await test.call('projects.create', {}, { token: test.token })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error: {
        code: 'VALIDATION_ERROR',
        statusCode: 400,
        details: {
          name: 'must be text of 1 to 255 characters without control characters',
          customerId: 'must be an id',
          contractValue: 'must be a number of at least 0',
          currency: 'must be a currency code of three capital letters',
        },
      },
    })
  })
})

describe('the attributes of a product', () => {
  it('are refused with a plain text when they do not match the schema', async () => {
    const test = await createProjectApp()
    const products = [
      { name: 'Fine', productType: 'software', attributes: software },
      { name: "O'S", productType: 'software', attributes: { ...software, deployment: { platforms: ['a', 7] } } },
    ]
    const { status, body } = await test.call('projects.create', test.body({ products }), { token: test.token })
    const error = "validation failed for product 'O'S': deployment.platforms[1]: must be a string"
    expect([status, body]).toEqual([400, { error }])
    expect((await test.ask('projects.list', {}, { token: test.token })).meta.total).toBe(0)
  })

  it.each([undefined, 7, null])('are not checked when the type is not text: %j', async (productType) => {
    const test = await createProjectApp()
    const products = [{ name: 'OS', productType, attributes: software }]
    const { status, body } = await test.call('projects.create', { ...test.body(), products }, { token: test.token })
    const [field, takes] = ['products[0].productType', 'must be a registered product type']
    const error = { code: 'VALIDATION_ERROR', message: `${field}: ${takes}`, details: { [field]: takes }, statusCode: 400 }
    expect([status, body]).toEqual([400, { error }])
  })
})
