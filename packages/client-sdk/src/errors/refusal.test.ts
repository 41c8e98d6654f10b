import { describe, expect, it } from 'vitest'
import { createTestClient, logInNewUser } from '../testing/test-client.ts'
import { CountersignError } from './countersign-error.ts'
import { toRefusal } from './refusal.ts'

describe('a refusal of the authentication service', () => {
  it('has status, code, message and the id of the request', async () => {
    const { client } = createTestClient()
    const failure = await client.auth.login({ email: 'nobody@example.com', password: 'x' }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(CountersignError)
    expect(failure).toMatchObject({
      name: 'CountersignError',
      status: 401,
      code: 'UNAUTHORIZED',
      message: 'Invalid email or password',
      details: {},
      requestId: expect.stringMatching(/^[\w.-]{1,128}$/),
      body: { message: 'Invalid email or password', statusCode: 401 },
    })
  })

  it('names each field and what it takes', async () => {
    const given = createTestClient()
    await logInNewUser(given)
    const input = { deviceName: '', deviceType: 'mobile', deviceFingerprint: '', publicKey: 'x', keyAlgorithm: 'ES256' } as const
    await expect(given.client.devices.beginRegistration(input)).rejects.toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      details: {
        deviceName: 'must be 1 to 255 letters, digits, spaces, hyphens or apostrophes',
        deviceFingerprint: 'must be text of 1 to 255 characters',
      },
    })
  })

  it('says when to come back', async () => {
    const { client } = createTestClient()
    const asks = Array.from({ length: 30 }, () => client.mobile.beginLogin({ deviceFingerprint: 'x' }))
    const refused = (await Promise.allSettled(asks)).find(({ status }) => status === 'rejected')
    expect(refused).toMatchObject({ reason: { status: 429, code: 'RATE_LIMITED', retryAfter: expect.any(Number) } })
  })
})

describe('a refusal of the project service', () => {
  it('has the code and the fields of its body', async () => {
    const given = createTestClient()
    await logInNewUser(given)
    await expect(given.client.projects.list({ limit: 1000 })).rejects.toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      details: { limit: 'must be an integer from 1 to 100' },
    })
    await expect(given.client.projects.get({ uniqueCode: 'PRJ-1' })).rejects.toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
      message: 'Project not found',
      details: {},
    })
  })

  it('names the attributes of a product that are wrong, whatever the product is called', async () => {
    const given = createTestClient()
    await logInNewUser(given)
    const { id: customerId } = await given.test.countersign.customers.create({ name: 'ACME', email: 'office@acme.test' })
    const attributes = { name: 'OS', version: 'one', deployment: { platforms: ['linux', 1] } }
    const products = [{ name: "it's: a 'trap'; name: x", productType: 'software', attributes }]
    const failure = await given.client.projects
      .create({ name: 'Bridge', customerId, contractValue: 1, currency: 'EUR', products })
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ status: 400, message: expect.stringContaining('validation failed for product') })
    const { details } = failure as CountersignError
    expect(Object.keys(details).sort()).toEqual(['deployment.platforms[1]', 'licenseType', 'version'])
    expect(details.licenseType).toBe('is required')
  })
})

describe('what else answers', () => {
  it.each([
    ['a text', 'no'],
    ['null', null],
    ['members of other kinds', { message: 7, error: { message: 7 } }],
  ])('is told with its status alone: %s', (_, body) => {
    const refusal = toRefusal(new Response(null, { status: 418, headers: { 'retry-after': 'soon' } }), body)
    expect(refusal).toMatchObject({ status: 418, code: 'UNEXPECTED_ANSWER', message: 'The service answered 418' })
    expect(refusal.retryAfter).toBeUndefined()
    expect(refusal.body).toBe(body)
  })
})
