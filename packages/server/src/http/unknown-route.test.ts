import { describe, expect, it } from 'vitest'
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
})
