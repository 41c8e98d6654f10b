import { describe, expect, it } from 'vitest'
import { signIn } from '../testing/sign-in.ts'
import { createTestApp } from '../testing/test-app.ts'

describe('an unknown route', () => {
  it('is answered in the error format of the service with that prefix', async () => {
    const test = await createTestApp()
    const auth = await test.send('GET', '/api/v1/auth/nothing')
    expect([auth.status, auth.body]).toEqual([404, { message: 'Not found', statusCode: 404, code: 'route_not_found' }])
    const elsewhere = await test.send('GET', '/api/v1/projectsque')
    expect(elsewhere.body).toEqual({ message: 'Not found', statusCode: 404, code: 'route_not_found' })
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
  ])('is the result for %s', async (path) => {
    const test = await createTestApp()
    for (const method of ['GET', 'POST']) expect((await test.send(method, path)).status).toBe(404)
  })

  it('is the result for a request target that differs from its normalised URL', async () => {
    const test = await createTestApp({ app: { requestTarget: (env) => (env as { target: string }).target } })
    const statusOf = async (target: string) =>
      (await test.app.fetch(new Request(new URL(target, 'http://countersign.test')), { target })).status
    expect(await statusOf('/health')).toBe(200)
    expect(await statusOf('/health?a={b}')).toBe(200)
    expect(await statusOf('http://countersign.test/health')).toBe(200)
    for (const target of ['/./health', '/x/../health', '/x/%2e%2e/health', '/health\\', '/%2e/health']) {
      expect(await statusOf(target)).toBe(404)
    }
  })

  it('with an abnormal request target is answered in the format of the service whose prefix was written', async () => {
    const test = await createTestApp({ app: { requestTarget: (env) => (env as { target: string }).target } })
    const bodyOf = async (target: string) => {
      const response = await test.app.fetch(new Request(new URL(target, 'http://countersign.test')), { target })
      return [response.status, await response.json()]
    }
    const ofProjects = { error: { code: 'NOT_FOUND', message: 'Not found', details: {}, statusCode: 404 } }
    for (const target of ['/api/v1/projects/./x', '/api/v1/projects/..', '/api/v1/product-schemas/%2e%2e?a=/b']) {
      expect(await bodyOf(target)).toEqual([404, ofProjects])
    }
    for (const target of ['/api/v1/auth/../projects', '/./api/v1/projects', '/api/v1/./projects/x', '/api/v1/%2e/projects']) {
      expect(await bodyOf(target)).toEqual([404, { message: 'Not found', statusCode: 404, code: 'route_not_found' }])
    }
  })

  it('is the result for an encoded slash in a path parameter, and invalid UTF-8 there is refused', async () => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const statusOf = async (id: string) => (await test.send('GET', `/api/v1/auth/confirmation/${id}/status`, { token })).status
    expect(await statusOf('a%2Fb')).toBe(404)
    expect(await statusOf('a%5cb')).toBe(404)
    expect(await statusOf('a%00b')).toBe(400)
    expect(await statusOf('a%FFb')).toBe(400)
    expect(await statusOf('a%b')).toBe(400)
  })
})

describe('a method that a path does not support', () => {
  it.each([
    ['GET', '/api/v1/auth/login', 'POST'],
    ['HEAD', '/api/v1/auth/login', 'POST'],
    ['OPTIONS', '/api/v1/auth/login', 'POST'],
    ['POST', '/health', 'GET, HEAD'],
    ['GET', '/api/v1/auth/devices/push-token', 'DELETE, PUT'],
    ['DELETE', '/api/v1/auth/confirmation/x/status', 'GET, HEAD'],
    ['PURGE', '/api/v1/auth/login', 'POST'],
  ])('%s %s is answered with 405 and the allowed methods', async (method, path, allowed) => {
    const { status, headers, body } = await (await createTestApp()).send(method, path)
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe(allowed)
    if (method !== 'HEAD') expect(body).toEqual({ message: 'Method not allowed', statusCode: 405, code: 'method_not_allowed' })
  })

  it('is not overridden by a header', async () => {
    const { status } = await (await createTestApp()).send('GET', '/api/v1/auth/login', {
      headers: { 'x-http-method-override': 'POST' },
    })
    expect(status).toBe(405)
  })
})
