import { describe, expect, it } from 'vitest'
import { createTestClient, logInNewUser } from '../../testing/test-client.ts'
import { CountersignError } from './countersign-error.ts'
import { toRefusal } from './refusal.ts'

describe('an error of the authentication service', () => {
  it('has status, code, message and the id of the request', async () => {
    const { client } = await createTestClient()
    const failure = await client.auth.login({ email: 'nobody@example.com', password: 'x' }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(CountersignError)
    expect(failure).toMatchObject({
      name: 'CountersignError',
      status: 401,
      code: 'WRONG_PASSWORD',
      serviceCode: 'invalid_credentials',
      message: 'Invalid email or password',
      details: {},
      requestId: expect.stringMatching(/^[\w.-]{1,128}$/),
      body: { message: 'Invalid email or password', statusCode: 401, code: 'invalid_credentials' },
    })
  })

  it.each([
    ['invalid_access_token', 'SESSION_ENDED'],
    ['invalid_refresh_token', 'SESSION_ENDED'],
    ['unauthenticated', 'SESSION_ENDED'],
    ['invalid_credentials', 'WRONG_PASSWORD'],
    ['wrong_password', 'WRONG_PASSWORD'],
    ['wrong_confirmation_signature', 'UNAUTHORIZED'],
  ])('with status 401 and the code %s has the code %s', (serviceCode, code) => {
    const body = { message: 'x', statusCode: 401, code: serviceCode }
    expect(toRefusal(Response.json(body, { status: 401 }), body)).toMatchObject({ code, serviceCode })
  })

  it('names each field and the values that the field takes', async () => {
    const given = await createTestClient()
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

  it('says when to try again', async () => {
    const { client } = await createTestClient()
    const asks = Array.from({ length: 70 }, () => client.mobile.beginLogin({ deviceFingerprint: 'x' }))
    const refused = (await Promise.allSettled(asks)).find(({ status }) => status === 'rejected')
    expect(refused).toMatchObject({ reason: { status: 429, code: 'RATE_LIMITED', retryAfter: expect.any(Number) } })
  })
})

describe('an error of the project service', () => {
  it('has the code and the fields of its body', async () => {
    const given = await createTestClient()
    await logInNewUser(given)
    await expect(given.client.projects.list({ limit: 1000 })).rejects.toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      details: { limit: 'must be an integer from 1 to 100' },
    })
    await expect(given.client.projects.get({ uniqueCode: 'PRJ-1' })).rejects.toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
      serviceCode: undefined,
      message: 'Project not found',
      details: {},
    })
  })

  it('names the wrong attributes of a product, whatever the name of the product is', async () => {
    const given = await createTestClient()
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

describe('a code that is not a text', () => {
  it.each([7, null, {}, ['invalid_input']])('is not taken as the code of the error: %j', (code) => {
    const body = { message: 'no', statusCode: 401, code }
    expect(toRefusal(new Response(null, { status: 401 }), body)).toMatchObject({ code: 'UNAUTHORIZED', serviceCode: undefined })
  })
})

describe('a response of another program', () => {
  it.each([
    ['a text', 'no'],
    ['null', null],
    ['members of other types', { message: 7, error: { message: 7 } }],
  ])('is an error with the status only: %s', (_, body) => {
    const refusal = toRefusal(new Response(null, { status: 418, headers: { 'retry-after': 'soon' } }), body)
    expect(refusal).toMatchObject({ status: 418, code: 'UNEXPECTED_ANSWER', message: 'The service answered 418' })
    expect(refusal.retryAfter).toBeUndefined()
    expect(refusal.body).toBe(body)
  })

  it.each([
    ['a page', '<html>'],
    ['an empty body', ''],
    ['a message without a status', { message: 'Unauthorized' }],
    ['a status that differs from the response', { message: 'Unauthorized', statusCode: 502 }],
    ['a message of another form', { error: 'unauthorized' }],
  ])('is not an error of the service, whatever the status is: %s', (_, body) => {
    for (const status of [400, 401, 403, 404, 405, 409, 410, 413, 415, 500]) {
      expect(toRefusal(new Response(null, { status }), body)).toMatchObject({
        status,
        code: 'UNEXPECTED_ANSWER',
        details: {},
        body,
      })
    }
  })

  it('with status 429 or 503 has the code of that status, and says when to try again', () => {
    const answer = (status: number) => toRefusal(new Response(null, { status, headers: { 'retry-after': '7' } }), '<html>')
    expect(answer(429)).toMatchObject({ status: 429, code: 'RATE_LIMITED', retryAfter: 7 })
    expect(answer(503)).toMatchObject({ status: 503, code: 'UNAVAILABLE', retryAfter: 7 })
  })
})

describe('an error about an unreadable request', () => {
  it.each([
    [400, 'VALIDATION_ERROR'],
    [408, 'UNEXPECTED_ANSWER'],
    [413, 'PAYLOAD_TOO_LARGE'],
    [417, 'UNEXPECTED_ANSWER'],
    [431, 'UNEXPECTED_ANSWER'],
  ])('has the message of the service: %i', (status, code) => {
    const refusal = toRefusal(new Response(null, { status }), { message: 'So it is', statusCode: status })
    expect(refusal).toMatchObject({ status, code, message: 'So it is', details: {} })
  })
})

describe('the details of an error', () => {
  it('are read from the member of the body rather than from the message', () => {
    const body = { message: 'a: old', statusCode: 400, code: 'invalid_input', details: { 'a b; c': 'must be text: or not' } }
    expect(toRefusal(new Response(null, { status: 400 }), body)).toMatchObject({
      serviceCode: 'invalid_input',
      details: { 'a b; c': 'must be text: or not' },
    })
  })

  it('are read from the message when the body has no details', () => {
    const body = { message: 'a: must be text; b[0]: is required', statusCode: 400 }
    const refusal = toRefusal(new Response(null, { status: 400 }), body)
    expect(refusal.details).toEqual({ a: 'must be text', 'b[0]': 'is required' })
    expect(refusal.serviceCode).toBeUndefined()
  })

  it('are texts only, even if the body has other values', () => {
    const detailsOf = (details: unknown) => {
      const body = { error: { code: 'VALIDATION_ERROR', message: 'name: is required', details, statusCode: 400 } }
      return toRefusal(new Response(null, { status: 400 }), body).details
    }
    expect(detailsOf({ name: 'is required', age: 7, city: { name: 'is required' }, none: null })).toEqual({ name: 'is required' })
    for (const details of [null, undefined]) expect(detailsOf(details)).toEqual({ name: 'is required' })
    for (const details of [{}, 7, []]) expect(detailsOf(details)).toEqual({})
  })
})
