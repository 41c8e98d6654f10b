import { openApiDocument } from '@countersign/contract/openapi'
import { describe, expect, it } from 'vitest'
import { securityHeaders } from './http/http-response.ts'
import { createReference } from './reference.ts'
import { createTestApp } from './testing/test-app.ts'

// Uses the page of the last build: `npm run build` creates it.

const test = await createTestApp({ app: { reference: createReference() } })
const paths = ['/docs', '/docs/reference.js', '/docs/style.css', '/docs/settings.json', '/openapi.json']

describe('the OpenAPI document', () => {
  it('is served to everybody, with or without the page', async () => {
    const { status, headers, body } = await (await createTestApp()).send('GET', '/openapi.json')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(body).toStrictEqual(JSON.parse(JSON.stringify(openApiDocument({ version: '1.2.3' }))))
  })
})

describe('the reference page', () => {
  it.each([
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/reference.js', 'text/javascript; charset=utf-8'],
    ['/docs/style.css', 'text/css; charset=utf-8'],
  ])('is served at %s as %s', async (path, contentType) => {
    const got = await test.app.request(path)
    expect([got.status, got.headers.get('content-type')]).toEqual([200, contentType])
    expect((await got.text()).length).toBeGreaterThan(100)
  })

  it('receives the demo user when there is one, and only the necessary data', async () => {
    expect((await test.send('GET', '/docs/settings.json')).body).toEqual({ demoUser: null })
    const demoUser = { email: 'demo@example.test', password: 'known to everybody' }
    const named = { ...demoUser, name: 'Demo User' }
    const other = await createTestApp({ app: { reference: createReference({ demoUser: named }) } })
    expect((await other.send('GET', '/docs/settings.json')).body).toEqual({ demoUser })
  })

  it('can load nothing from other origins', async () => {
    const { headers } = await test.app.request('/docs')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]),
    )
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/)
  })

  it('has the other headers of the service and is not cached', async () => {
    for (const path of paths) {
      const { status, headers } = await test.app.request(path, { headers: { 'if-none-match': '*' } })
      const { 'Content-Security-Policy': _, ...others } = securityHeaders
      for (const [name, value] of Object.entries(others)) expect(headers.get(name)).toBe(value)
      expect([status, headers.get('cache-control'), headers.has('etag')]).toEqual([200, 'no-store', false])
    }
  })

  it.each(['POST', 'DELETE'])('refuses %s and names the allowed methods', async (method) => {
    for (const path of paths) {
      const { status, headers } = await test.send(method, path)
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
  })

  it('is served only for hosts that ask for it', async () => {
    for (const path of ['/docs', '/docs/reference.js', '/docs/style.css', '/docs/settings.json', '/docs/']) {
      expect((await (await createTestApp()).send('GET', path)).status).toBe(404)
    }
  })

  it.each(['/docs/', '/docs/index.html', '/docs/nothing.js', '/docs/..%2Findex.js', '/docs/__proto__'])(
    'does not exist at %s',
    async (path) => {
      expect((await test.send('GET', path)).status).toBe(404)
    },
  )
})
