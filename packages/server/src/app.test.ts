import { type Operation, type OperationName, operations } from '@countersign/contract'
import { errors } from '@countersign/core'
import { createTestStorage } from '@countersign/storage-sqlite/testing'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { createApp } from './app.ts'
import { securityHeaders } from './http/http-response.ts'
import { expectEveryHeader } from './testing/expect-answer.ts'
import { signIn } from './testing/sign-in.ts'
import { createTestApp } from './testing/test-app.ts'

const names = Object.keys(operations) as OperationName[]

describe('every response', () => {
  it('has the five headers of the contract', () => {
    expect(securityHeaders).toMatchObject({
      'Strict-Transport-Security': expect.stringMatching(/^max-age=\d{8}/),
      'Content-Security-Policy': expect.stringContaining("default-src 'none'"),
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'X-XSS-Protection': '1; mode=block',
    })
  })

  it.each(names)('of %s has the security headers and is JSON, with and without credentials', async (name) => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    for (const options of [{}, { token }]) {
      const answer = await test.call(name, {}, options)
      expectEveryHeader(answer)
      const { success, contentType = 'application/json' }: Operation = operations[name]
      expect(answer.headers.get('content-type')).toBe(answer.status === success ? contentType : 'application/json')
    }
  })

  it.each(names.filter((name) => operations[name].authentication !== 'none'))('of %s requires a bearer token', async (name) => {
    const { status, body, headers } = await (await createTestApp()).call(name)
    expect(status).toBe(401)
    const refusal = { message: 'Authentication required', statusCode: 401 }
    const bodies = {
      projects: { error: { code: 'UNAUTHORIZED', details: {}, ...refusal } },
      authentication: name === 'internal.verify' ? { valid: false, ...refusal } : { ...refusal, code: 'unauthenticated' },
    }
    expect(body).toEqual(bodies[operations[name].service])
    expect(headers.get('www-authenticate')).toBe('Bearer')
  })

  it('has the same headers for unknown routes, refusals, invalid bodies and server errors', async () => {
    const storage = { ...(await createTestStorage()), sweep: undefined }
    const failing = { ...storage, challenges: { ...storage.challenges, issue: () => Promise.reject(new Error('secret-1234')) } }
    const test = await createTestApp({ storage: failing as never })
    const answers = [
      await test.send('GET', '/nothing'),
      await test.send('GET', '/api/v1/auth/login'),
      await test.send('POST', '/api/v1/auth/login', { body: 'x' }),
      await test.send('POST', '/api/v1/auth/login', { headers: { 'content-type': 'application/json' }, body: '{' }),
      await test.call('mobile.beginLogin', { deviceFingerprint: 'x' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 405, 415, 400, 500])
    for (const answer of answers) expectEveryHeader(answer)
  })
})

describe('a server error', () => {
  it('hides its cause in the response, and the log names the source without the message', async () => {
    const storage = await createTestStorage()
    const issue = () =>
      Promise.reject(Object.assign(new Error('password=hunter2\n    at hunter2 (x.js:1:1)'), { code: 'E_BROKEN' }))
    const test = await createTestApp({ storage: { ...storage, challenges: { ...storage.challenges, issue } } })
    const { status, body, headers } = await test.call('mobile.beginLogin', { deviceFingerprint: 'x' })
    expect([status, body]).toEqual([500, { message: 'Internal server error', statusCode: 500, code: 'internal_error' }])
    const logged = test.logger.entries.find(({ event }) => event === 'request_failed')
    expect(logged).toMatchObject({
      level: 'error',
      fields: {
        requestId: headers.get('x-request-id'),
        route: '/api/v1/auth/mobile/challenge',
        error: 'Error',
        code: 'E_BROKEN',
        frames: expect.arrayContaining([expect.stringContaining('app.test.ts')]),
      },
    })
    expect(JSON.stringify(test.logger.entries)).not.toContain('hunter2')
  })

  it('is 503 with Retry-After when the database is unavailable', async () => {
    const storage = await createTestStorage()
    const issue = () => Promise.reject(new errors.Unavailable(undefined, { retryAfterMs: 1500 }))
    const test = await createTestApp({ storage: { ...storage, challenges: { ...storage.challenges, issue } } })
    const { status, body, headers } = await test.call('mobile.beginLogin', { deviceFingerprint: 'x' })
    expect([status, body]).toEqual([503, { message: 'Service temporarily unavailable', statusCode: 503, code: 'unavailable' }])
    expect(headers.get('retry-after')).toBe('2')
  })
})

describe('the app inside another server', () => {
  it('needs neither the Node adapter nor options', async () => {
    const { countersign } = await createTestApp()
    const response = await createApp(countersign, { version: '1' }).fetch(new Request('https://auth.example.test/health'))
    expect(response.status).toBe(200)
  })

  it('answers below a prefix, including path parameters', async () => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const outer = new Hono().route('/auth-service', test.app)
    const path = '/auth-service/api/v1/auth/confirmation/conf_x/status'
    const response = await outer.request(path, { headers: { authorization: `Bearer ${token}` } })
    expect([response.status, await response.json()]).toEqual([
      404,
      { message: 'Confirmation not found', statusCode: 404, code: 'confirmation_not_found' },
    ])
  })
})
