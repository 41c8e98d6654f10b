import { authenticationErrorCodes, type ErrorCode, errorBody, errorDescriptions, projectErrorBody } from '@countersign/contract'
import { errors } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { errorFormOfPath, rawErrorBody, toRefusal } from './error-responses.ts'
import { WireRefusal, type WireRefusalCode } from './refusals.ts'

const wireErrors: Readonly<Record<WireRefusalCode, readonly [number, string, string]>> = {
  malformed_request: [400, 'VALIDATION_ERROR', 'malformed_request'],
  route_not_found: [404, 'NOT_FOUND', 'route_not_found'],
  method_not_allowed: [405, 'METHOD_NOT_ALLOWED', 'method_not_allowed'],
  payload_too_large: [413, 'PAYLOAD_TOO_LARGE', 'payload_too_large'],
  unsupported_media_type: [415, 'UNSUPPORTED_MEDIA_TYPE', 'unsupported_media_type'],
}

const everyKind: readonly (readonly [Error, number, string, string])[] = [
  [new errors.Invalid({ name: 'must be text' }), 400, 'VALIDATION_ERROR', 'invalid_input'],
  [new errors.Unauthenticated(), 401, 'UNAUTHORIZED', 'unauthenticated'],
  [new errors.InvalidAccessToken(), 401, 'UNAUTHORIZED', 'invalid_access_token'],
  [new errors.Forbidden(), 403, 'FORBIDDEN', 'forbidden'],
  [new errors.NotFound('Project not found'), 404, 'NOT_FOUND', 'not_found'],
  [new errors.Conflict('Taken'), 409, 'CONFLICT', 'conflict'],
  [new errors.Gone('Used'), 410, 'GONE', 'gone'],
  [new errors.RateLimited(1), 429, 'RATE_LIMITED', 'rate_limited'],
  [new errors.Unavailable(), 503, 'UNAVAILABLE', 'unavailable'],
  ...Object.entries(wireErrors).map(
    ([key, [status, projectCode, code]]) => [new WireRefusal(key as WireRefusalCode), status, projectCode, code] as const,
  ),
]

describe('an error response', () => {
  it.each(everyKind)('has the status and code in the error body of each service: %s', (error, status, projectCode, code) => {
    const fields = error instanceof errors.Invalid ? error.fields : {}
    const authentication = toRefusal(error, 'authentication')
    const details = status === 400 ? { details: fields } : {}
    expect(authentication.status).toBe(status)
    expect(authentication.body).toStrictEqual({ message: error.message, statusCode: status, code, ...details })
    expect(errorBody.parse(authentication.body)).toEqual(authentication.body)
    const { body } = toRefusal(error, 'projects')
    expect(body).toEqual({ error: { code: projectCode, message: error.message, details: fields, statusCode: status } })
    expect(projectErrorBody.parse(body)).toEqual(body)
  })

  it('of the project service contains a plain text if product attributes are wrong', () => {
    const error = new errors.ProductAttributesRefused('OS', [{ field: 'version', message: 'is required' }])
    const text = "validation failed for product 'OS': version: is required"
    expect(toRefusal(error, 'projects')).toEqual({ status: 400, code: 'invalid_input', headers: {}, body: { error: text } })
    expect(projectErrorBody.parse({ error: text })).toEqual({ error: text })
  })

  it.each([new Error('secret'), new TypeError('secret'), 'secret', undefined, null, { kind: 'invalid', message: 'secret' }])(
    'reveals nothing about an unknown error: %s',
    (thrown) => {
      const { status, body, headers } = toRefusal(thrown, 'authentication')
      const internal = { message: 'Internal server error', statusCode: 500, code: 'internal_error' }
      expect([status, body, headers]).toEqual([500, internal, {}])
      expect(toRefusal(thrown, 'projects').body).toEqual({
        error: { code: 'INTERNAL_ERROR', message: 'Internal server error', details: {}, statusCode: 500 },
      })
    },
  )

  it('gives Retry-After in whole seconds, at least one', () => {
    const retryAfter = (milliseconds: number) =>
      toRefusal(new errors.RateLimited(milliseconds), 'authentication').headers['Retry-After']
    expect([0, 1, 1000, 1001, 60_000].map(retryAfter)).toEqual(['1', '1', '1', '2', '60'])
    expect(toRefusal(new errors.Unavailable(undefined, { retryAfterMs: 2500 }), 'projects').headers).toEqual({
      'Retry-After': '3',
    })
  })

  it('of /internal/verify has the bare form without a code only for a refused token', () => {
    expect(toRefusal(new errors.Unauthenticated('No'), 'token').body).toStrictEqual({
      valid: false,
      message: 'No',
      statusCode: 401,
    })
    expect(toRefusal(new errors.Invalid({ a: 'must be' }), 'token').body).toStrictEqual({
      message: 'a: must be',
      statusCode: 400,
      code: 'invalid_input',
      details: { a: 'must be' },
    })
  })

  it('has the generic code of its kind for error codes of a host or of another service', () => {
    class HostConflict extends errors.Conflict {
      override readonly code = 'quota_reached'
    }
    const codeOf = (error: Error) => (toRefusal(error, 'authentication').body as { readonly code: string }).code
    expect(codeOf(new HostConflict('Quota reached'))).toBe('conflict')
    expect(codeOf(new errors.ProductAttributesRefused('OS', []))).toBe('invalid_input')
    expect(codeOf(Object.assign(new errors.Conflict('No'), { code: 'toString' }))).toBe('conflict')
  })
})

describe('the list of error codes', () => {
  it('contains the response status of every error of the core', () => {
    for (const [code, errorClass] of Object.entries(errors.errorClasses)) {
      // The prototype has no code and no kind: both belong to the instance.
      const error = Reflect.construct(errorClass, [[], []]) as Error
      expect({ code, status: toRefusal(error, 'authentication').status }).toEqual({
        code,
        status: errorDescriptions[code as ErrorCode].status,
      })
    }
  })

  it('contains no code of the authentication service that nothing causes', () => {
    const ofWire = Object.values(wireErrors).map(([, , code]) => code)
    const ofConnections = [408, 413, 417, 431, 400].map((status) => (rawErrorBody(status, '') as { readonly code: string }).code)
    const caused = new Set([...Object.keys(errors.errorClasses), ...ofWire, ...ofConnections, 'internal_error'])
    expect(authenticationErrorCodes.filter((code) => !caused.has(code))).toEqual([])
  })
})

it.each([400, 408, 413, 417, 431] as const)('the error body for an unreadable connection with status %i has a code', (status) => {
  const body = errorBody.parse(rawErrorBody(status, 'So it is'))
  expect(body).toMatchObject({ message: 'So it is', statusCode: status })
  expect(errorDescriptions[body.code].status).toBe(status)
})

it('only paths below the two project prefixes use the error format of the project service', () => {
  const projects = [
    '/api/v1/projects',
    '/api/v1/projects/x',
    '/api/v1/projects\\x',
    '/api/v1/product-schemas/',
    '/api/v1/product-schemas/x/y',
  ]
  const others = ['/', '/api/v1/projectsx', '/api\\v1\\projects', '/api/v1/auth/projects', '/projects', '/api/v1/', '']
  expect(projects.map(errorFormOfPath)).toEqual(projects.map(() => 'projects'))
  expect(others.map(errorFormOfPath)).toEqual(others.map(() => 'authentication'))
})
