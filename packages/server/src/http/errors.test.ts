import { projectErrorBody } from '@countersign/contract'
import {
  Conflict,
  Forbidden,
  Gone,
  Invalid,
  NotFound,
  ProductAttributesRefused,
  RateLimited,
  Unauthenticated,
  Unavailable,
} from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { errorFormOfPath, toRefusal } from './errors.ts'
import { WireRefusal } from './refusals.ts'

const everyKind: readonly (readonly [Error, number, string])[] = [
  [new Invalid({ name: 'must be text' }), 400, 'VALIDATION_ERROR'],
  [new WireRefusal('unreadable'), 400, 'VALIDATION_ERROR'],
  [new Unauthenticated(), 401, 'UNAUTHORIZED'],
  [new Forbidden(), 403, 'FORBIDDEN'],
  [new NotFound('Project not found'), 404, 'NOT_FOUND'],
  [new WireRefusal('route_not_found'), 404, 'NOT_FOUND'],
  [new WireRefusal('method_not_allowed'), 405, 'METHOD_NOT_ALLOWED'],
  [new Conflict('Taken'), 409, 'CONFLICT'],
  [new Gone('Used'), 410, 'GONE'],
  [new WireRefusal('payload_too_large'), 413, 'PAYLOAD_TOO_LARGE'],
  [new WireRefusal('unsupported_media_type'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [new RateLimited(1), 429, 'RATE_LIMITED'],
  [new Unavailable(), 503, 'UNAVAILABLE'],
]

describe('a refusal', () => {
  it.each(everyKind)('of %s has its status in the form of each service', (error, status, code) => {
    expect(toRefusal(error, 'authentication')).toMatchObject({ status, body: { message: error.message, statusCode: status } })
    const details = error instanceof Invalid ? error.fields : {}
    const { body } = toRefusal(error, 'projects')
    expect(body).toEqual({ error: { code, message: error.message, details, statusCode: status } })
    expect(projectErrorBody.parse(body)).toEqual(body)
  })

  it('of the attributes of a product is a text in the projects service', () => {
    const error = new ProductAttributesRefused('OS', [{ field: 'version', message: 'is required' }])
    const text = "validation failed for product 'OS': version: is required"
    expect(toRefusal(error, 'projects')).toEqual({ status: 400, headers: {}, body: { error: text } })
    expect(projectErrorBody.parse({ error: text })).toEqual({ error: text })
  })

  it.each([new Error('secret'), new TypeError('secret'), 'secret', undefined, null, { kind: 'invalid', message: 'secret' }])(
    'of what is no error of ours says nothing: %s',
    (thrown) => {
      const { status, body, headers } = toRefusal(thrown, 'authentication')
      expect([status, body, headers]).toEqual([500, { message: 'Internal server error', statusCode: 500 }, {}])
      expect(toRefusal(thrown, 'projects').body).toEqual({
        error: { code: 'INTERNAL_ERROR', message: 'Internal server error', details: {}, statusCode: 500 },
      })
    },
  )

  it('says when to come back, in whole seconds and at least one', () => {
    const retryAfter = (milliseconds: number) => toRefusal(new RateLimited(milliseconds), 'authentication').headers['Retry-After']
    expect([0, 1, 1000, 1001, 60_000].map(retryAfter)).toEqual(['1', '1', '1', '2', '60'])
    expect(toRefusal(new Unavailable(undefined, { retryAfterMs: 2500 }), 'projects').headers).toEqual({ 'Retry-After': '3' })
  })

  it('of a token asked about says that it is not valid, and other refusals there do not', () => {
    expect(toRefusal(new Unauthenticated('No'), 'token').body).toEqual({ valid: false, message: 'No', statusCode: 401 })
    expect(toRefusal(new Invalid({ a: 'must be' }), 'token').body).toEqual({ message: 'a: must be', statusCode: 400 })
  })
})

it('has the form of the projects service below its two prefixes only', () => {
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
