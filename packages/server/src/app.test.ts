import { type OperationName, operations } from '@countersign/contract'
import { Unavailable } from '@countersign/core'
import { createMemoryStorage } from '@countersign/core/testing'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { createApp } from './app.ts'
import { securityHeaders } from './middleware/security-headers.ts'
import { signIn } from './testing/sign-in.ts'
import { createTestApp, type TestAnswer } from './testing/test-app.ts'

const names = Object.keys(operations) as OperationName[]

const expectEveryHeader = ({ headers }: TestAnswer) => {
  for (const [name, value] of Object.entries(securityHeaders)) expect(headers.get(name)).toBe(value)
  expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
  expect(headers.get('x-powered-by')).toBeNull()
}

describe('every answer', () => {
  it('has the five headers of the contract', () => {
    expect(securityHeaders).toMatchObject({
      'Strict-Transport-Security': expect.stringMatching(/^max-age=\d{8}/),
      'Content-Security-Policy': expect.stringContaining("default-src 'none'"),
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'X-XSS-Protection': '1; mode=block',
    })
  })

  it.each(names)('of %s has the security headers and is JSON, without credentials and with them', async (name) => {
    const test = createTestApp()
    const { token } = await signIn(test)
    for (const options of [{}, { token }]) {
      const answer = await test.call(name, {}, options)
      expectEveryHeader(answer)
      expect(answer.headers.get('content-type')).toBe('application/json')
    }
  })

  it.each(names.filter((name) => operations[name].authentication !== 'none'))('of %s wants a bearer token', async (name) => {
    const { status, body, headers } = await createTestApp().call(name)
    expect(status).toBe(401)
    expect(body).toMatchObject({ message: 'Authentication required', statusCode: 401 })
    expect(headers.get('www-authenticate')).toBe('Bearer')
  })

  it('has them also where nothing was found, allowed or understood, and where the server failed', async () => {
    const storage = { ...createMemoryStorage(), sweep: undefined }
    const failing = { ...storage, challenges: { ...storage.challenges, issue: () => Promise.reject(new Error('secret-1234')) } }
    const test = createTestApp({ storage: failing as never })
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

describe('a failure of the server', () => {
  it('says nothing of its cause, and the log says where it came from without its message', async () => {
    const storage = createMemoryStorage()
    const issue = () => Promise.reject(Object.assign(new Error('password=hunter2\n    at hunter2 (x.js:1:1)'), { code: 'E_BROKEN' }))
    const test = createTestApp({ storage: { ...storage, challenges: { ...storage.challenges, issue } } })
    const { status, body, headers } = await test.call('mobile.beginLogin', { deviceFingerprint: 'x' })
    expect([status, body]).toEqual([500, { message: 'Internal server error', statusCode: 500 }])
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

  it('is 503 and says when to come back where the database is away', async () => {
    const storage = createMemoryStorage()
    const issue = () => Promise.reject(new Unavailable(undefined, { retryAfterMs: 1500 }))
    const test = createTestApp({ storage: { ...storage, challenges: { ...storage.challenges, issue } } })
    const { status, body, headers } = await test.call('mobile.beginLogin', { deviceFingerprint: 'x' })
    expect([status, body]).toEqual([503, { message: 'Service temporarily unavailable', statusCode: 503 }])
    expect(headers.get('retry-after')).toBe('2')
  })
})

describe('an unknown route', () => {
  it('is answered in the form of the service whose prefix it has', async () => {
    const test = createTestApp()
    const auth = await test.send('GET', '/api/v1/auth/nothing')
    expect([auth.status, auth.body]).toEqual([404, { message: 'Not found', statusCode: 404 }])
    const elsewhere = await test.send('GET', '/api/v1/projectsque')
    expect(elsewhere.body).toEqual({ message: 'Not found', statusCode: 404 })
    for (const path of ['/api/v1/projects/x/nothing', '/api/v1/product-schemas/x/nothing']) {
      const { status, body } = await test.send('GET', path)
      expect([status, body]).toEqual([404, { error: { code: 'NOT_FOUND', message: 'Not found', details: {}, statusCode: 404 } }])
    }
  })

  it.each([
    '/api/v1/auth/login/',
    '/api/v1/auth//login',
    '//api/v1/auth/login',
    '/api/v1/auth%2Flogin',
    '/api/v1/auth/%6Cogin',
    '/API/v1/auth/login',
    '/api/v1/auth/login;x=1',
    '/api/v1/auth/login%00',
    '/api/v1/auth/login%20',
    '/api/v1/auth/login#x',
    '/health/',
    '/',
  ])('is what %s is', async (path) => {
    const test = createTestApp()
    for (const method of ['GET', 'POST']) expect((await test.send(method, path)).status).toBe(404)
  })

  it('is what a target is that was not written as its URL', async () => {
    const test = createTestApp({ app: { requestTarget: (env) => (env as { target: string }).target } })
    const statusOf = async (target: string) =>
      (await test.app.fetch(new Request(new URL(target, 'http://countersign.test')), { target })).status
    expect(await statusOf('/health')).toBe(200)
    expect(await statusOf('/health?a={b}')).toBe(200)
    expect(await statusOf('http://countersign.test/health')).toBe(200)
    for (const target of ['/./health', '/x/../health', '/x/%2e%2e/health', '/health\\', '/%2e/health']) {
      expect(await statusOf(target)).toBe(404)
    }
  })

  it('is an encoded slash in a member of a path, and what is no UTF-8 there is refused', async () => {
    const test = createTestApp()
    const { token } = await signIn(test)
    const statusOf = async (id: string) => (await test.send('GET', `/api/v1/auth/confirmation/${id}/status`, { token })).status
    expect(await statusOf('a%2Fb')).toBe(404)
    expect(await statusOf('a%5cb')).toBe(404)
    expect(await statusOf('a%00b')).toBe(400)
    expect(await statusOf('a%FFb')).toBe(400)
    expect(await statusOf('a%b')).toBe(400)
  })
})

describe('a method that a path does not have', () => {
  it.each([
    ['GET', '/api/v1/auth/login', 'POST'],
    ['HEAD', '/api/v1/auth/login', 'POST'],
    ['OPTIONS', '/api/v1/auth/login', 'POST'],
    ['POST', '/health', 'GET, HEAD'],
    ['GET', '/api/v1/auth/devices/push-token', 'DELETE, PUT'],
    ['DELETE', '/api/v1/auth/confirmation/x/status', 'GET, HEAD'],
    ['PURGE', '/api/v1/auth/login', 'POST'],
  ])('%s %s is answered with 405 and what is allowed', async (method, path, allowed) => {
    const { status, headers, body } = await createTestApp().send(method, path)
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe(allowed)
    if (method !== 'HEAD') expect(body).toEqual({ message: 'Method not allowed', statusCode: 405 })
  })

  it('is not overridden by a header', async () => {
    const { status } = await createTestApp().send('GET', '/api/v1/auth/login', { headers: { 'x-http-method-override': 'POST' } })
    expect(status).toBe(405)
  })
})

describe('the request id', () => {
  it('is the caller’s where it is sane', async () => {
    const { headers } = await createTestApp().send('GET', '/health', { headers: { 'x-request-id': 'trace.1-A_b' } })
    expect(headers.get('x-request-id')).toBe('trace.1-A_b')
  })

  it.each(['', 'a b', '<x>', 'ü', 'x'.repeat(129)])('is a new one where the caller’s is %j', async (given) => {
    const { headers } = await createTestApp().send('GET', '/health', { headers: { 'x-request-id': given } })
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('the log', () => {
  it('has one line for each request, with the route’s template and nothing that was sent', async () => {
    const test = createTestApp()
    const { token } = await signIn(test)
    await test.call('confirmations.status', { confirmationId: 'secret-id', query: 'secret-query' }, { token, headers: { 'x-request-id': 'r-1' } })
    await test.send('PURGE', '/secret-path')
    const lines = test.logger.entries.filter(({ event }) => event === 'request')
    expect(lines.slice(1)).toEqual([
      {
        level: 'info',
        event: 'request',
        fields: {
          requestId: 'r-1',
          method: 'GET',
          route: '/api/v1/auth/confirmation/{confirmationId}/status',
          status: 404,
          durationMs: expect.any(Number),
        },
      },
      expect.objectContaining({ fields: expect.objectContaining({ method: 'other', route: 'unknown', status: 404 }) }),
    ])
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  it('can be left to whatever stands around the app', async () => {
    const test = createTestApp({ app: { logRequests: false } })
    await test.call('health.check')
    expect(test.logger.entries).toEqual([])
  })
})

describe('the app within another', () => {
  it('needs neither Node’s server nor options', async () => {
    const { countersign } = createTestApp()
    const response = await createApp(countersign, { version: '1' }).fetch(new Request('https://auth.example.test/health'))
    expect(response.status).toBe(200)
  })

  it('serves below a prefix, with the members of its paths', async () => {
    const test = createTestApp()
    const { token } = await signIn(test)
    const outer = new Hono().route('/auth-service', test.app)
    const path = '/auth-service/api/v1/auth/confirmation/conf_x/status'
    const response = await outer.request(path, { headers: { authorization: `Bearer ${token}` } })
    expect([response.status, await response.json()]).toEqual([404, { message: 'Confirmation not found', statusCode: 404 }])
  })
})
