import { projectErrorBody } from '@countersign/contract'
import { errors } from '@countersign/core'
import { createTestStorage } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { createProjectApp, type ProjectApp } from '../../testing/project-app.ts'
import type { TestAnswer } from '../../testing/test-app.ts'

const PATH = '/api/v1/projects'
const asJson = { 'content-type': 'application/json' }

const inexact = 'must be a number that a double holds with all its digits; send a longer number as text'

type Ask = (test: ProjectApp) => Promise<TestAnswer>

const refusals: readonly (readonly [what: string, status: number, code: string, message: string, ask: Ask])[] = [
  ['no token', 401, 'UNAUTHORIZED', 'Authentication required', (test) => test.send('GET', PATH)],
  ['a bad token', 401, 'UNAUTHORIZED', 'Invalid or expired token', (test) => test.send('GET', PATH, { token: 'x' })],
  ['no such path', 404, 'NOT_FOUND', 'Not found', ({ token, send }) => send('GET', `${PATH}/x/y/z`, { token })],
  ['no such method', 405, 'METHOD_NOT_ALLOWED', 'Method not allowed', ({ token, send }) => send('PUT', PATH, { token })],
  [
    'another type of body',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'Request body must be application/json',
    ({ token, send }) => send('POST', PATH, { token, body: 'name=x' }),
  ],
  [
    'a body that is too large',
    413,
    'PAYLOAD_TOO_LARGE',
    'Request body too large',
    ({ token, send }) => send('POST', PATH, { token, headers: asJson, body: `{"name":"${'x'.repeat(1024 * 1024)}"}` }),
  ],
  [
    'a body that is not JSON',
    400,
    'VALIDATION_ERROR',
    'body: must be valid JSON',
    ({ token, send }) => send('POST', PATH, { token, headers: asJson, body: '{' }),
  ],
  [
    'a value with more digits than a double holds',
    400,
    'VALIDATION_ERROR',
    `contractValue: ${inexact}`,
    ({ token, send }) => send('POST', PATH, { token, headers: asJson, body: '{"contractValue":999999999999999.99}' }),
  ],
  [
    'a changed value with more digits than a double holds',
    400,
    'VALIDATION_ERROR',
    `contractValue: ${inexact}`,
    ({ token, send }) => send('PATCH', `${PATH}/x`, { token, headers: asJson, body: '{"contractValue":999999999999999.99}' }),
  ],
  [
    'an attribute with more digits than a double holds',
    400,
    'VALIDATION_ERROR',
    `products[0].attributes.id: ${inexact}`,
    ({ token, send }) =>
      send('POST', PATH, { token, headers: asJson, body: '{"products":[{"attributes":{"id":653247040368672768}}]}' }),
  ],
]

describe('an error of the project service', () => {
  it.each(refusals)('in %s is %i %s', async (_what, status, code, message, ask) => {
    const answer = await ask(await createProjectApp())
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ error: { code, message: expect.stringContaining(message), statusCode: status } })
    expect(projectErrorBody.parse(answer.body)).toEqual(answer.body)
  })

  it('names the allowed methods and the authentication scheme', async () => {
    const test = await createProjectApp()
    expect((await test.send('PATCH', PATH, { token: test.token })).headers.get('allow')).toBe('GET, HEAD, POST')
    expect((await test.send('GET', PATH)).headers.get('www-authenticate')).toBe('Bearer')
  })

  it('is 409 when the host issues the same code twice', async () => {
    const test = await createProjectApp({ options: { projectCode: () => 'ONE' } })
    await test.create()
    const { status, body } = await test.call('projects.create', test.body(), { token: test.token })
    const error = { code: 'CONFLICT', message: 'A project with this code exists already', details: {}, statusCode: 409 }
    expect([status, body]).toEqual([409, { error }])
  })

  it('hides its cause, and gives Retry-After when the database is unavailable', async () => {
    const storage = await createTestStorage()
    let thrown: Error = new Error('secret')
    const projects = { ...storage.projects.projects, list: () => Promise.reject(thrown) }
    const test = await createProjectApp({ storage: { ...storage, projects: { ...storage.projects, projects } } })
    const failed = await test.call('projects.list', {}, { token: test.token })
    expect([failed.status, failed.body]).toEqual([
      500,
      { error: { code: 'INTERNAL_ERROR', message: 'Internal server error', details: {}, statusCode: 500 } },
    ])
    thrown = new errors.Unavailable(undefined, { retryAfterMs: 1500 })
    const away = await test.call('projects.list', {}, { token: test.token })
    expect([away.status, away.headers.get('retry-after'), away.body]).toEqual([
      503,
      '2',
      { error: { code: 'UNAVAILABLE', message: 'Service temporarily unavailable', details: {}, statusCode: 503 } },
    ])
  })
})

describe('a body of the project service', () => {
  it.each([
    '{"name":"a","name":"b"}',
    '{"__proto__":{"name":"a"}}',
    '{"products":[{"attributes":{"__proto__":1}}]}',
    '{"contractValue":1e999}',
    `{"products":[{"attributes":${'{"a":'.repeat(64)}1${'}'.repeat(64)}}]}`,
    '{"name":"\\u0000"}',
    '{"name":"\\ud800"}',
    '[]',
    'null',
  ])('%.40s is refused with 400', async (body) => {
    const test = await createProjectApp()
    const answer = await test.send('POST', PATH, { token: test.token, headers: asJson, body })
    expect([answer.status, answer.body]).toMatchObject([400, { error: { code: 'VALIDATION_ERROR' } }])
    expect((await test.ask('projects.list', {}, { token: test.token })).meta.total).toBe(0)
  })
})
