import { Hono } from 'hono'
import { beforeAll, describe, expect, it } from 'vitest'
import { securityHeaders } from './http/http-response.ts'
import { createPlayground } from './playground.ts'
import { createTestApp } from './testing/test-app.ts'

// Uses the page of the last build: `npm run build` creates it.

const demoUser = { email: 'demo@example.test', password: 'known to everybody' }
const origins = ['http://localhost:4000']
const relyingParty = { origins }
const files = ['/playground', '/playground/playground.js', '/playground/style.css']

const anApp = () => createTestApp({ app: { playground: createPlayground({ relyingParty, demoUser }) } })
let test: Awaited<ReturnType<typeof createTestApp>>
beforeAll(async () => {
  test = await anApp()
})

const get = (path: string, init?: RequestInit) => test.app.request(path, init)
const textOf = async (path: string) => (await get(path)).text()

describe('the playground page', () => {
  it.each([
    ['/playground', 'text/html; charset=utf-8'],
    ['/playground/playground.js', 'text/javascript; charset=utf-8'],
    ['/playground/style.css', 'text/css; charset=utf-8'],
    ['/playground/settings.json', 'application/json'],
  ])('is served at %s as %s, to GET and HEAD', async (path, contentType) => {
    const got = await get(path)
    expect([got.status, got.headers.get('content-type')]).toEqual([200, contentType])
    expect(await got.text()).not.toBe('')
    const head = await get(path, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, contentType, ''])
  })

  it('has every header of the service, and can load and call only its own origin', async () => {
    for (const path of files) {
      const { headers } = await get(path)
      const { 'Content-Security-Policy': _, ...others } = securityHeaders
      for (const [name, value] of Object.entries(others)) expect(headers.get(name)).toBe(value)
      expect(headers.get('x-request-id')).not.toBeNull()
      expect(headers.get('content-security-policy')?.split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        'img-src data:',
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ])
    }
  })

  it('contains no external address', async () => {
    const html = await textOf('/playground')
    const addresses = [...html.matchAll(/\b(?:src|href|action|srcset)="([^"]*)"/g)].map(([, address]) => address)
    expect(addresses).toEqual(['data:,', 'playground/style.css', 'playground/playground.js'])
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/)
    expect(await textOf('/playground/style.css')).not.toMatch(/url\(|@import|\/\//)
    for (const path of files) {
      const absolute = (await textOf(path)).match(/\b(?:https?|wss?|ftp):\/\/[^"'`\s)]+/g) ?? []
      expect(
        absolute.filter((url) => !/^http:\/\/www\.w3\.org\/(?:1999\/xhtml|2000\/svg|1998\/Math\/MathML)$/.test(url)),
      ).toEqual([])
    }
  })

  it('finds its files below a prefix through relative addresses', async () => {
    const outer = new Hono().route('/auth-service', (await anApp()).app)
    const page = new URL('http://localhost/auth-service/playground')
    for (const address of ['playground/style.css', 'playground/playground.js', 'playground/settings.json']) {
      expect((await outer.request(new URL(address, page).pathname)).status).toBe(200)
    }
  })

  it('is not cached by browsers, like every response', async () => {
    for (const path of files) {
      const { status, headers } = await get(path, { headers: { 'if-none-match': '*' } })
      expect([status, headers.get('cache-control'), headers.has('etag')]).toEqual([200, 'no-store', false])
    }
  })

  it('receives the passkey origins and the necessary data of the demo user', async () => {
    const response = await get('/playground/settings.json')
    expect(await response.json()).toEqual({ origins, demoUser })
    expect(response.headers.get('cache-control')).toBe('no-store')

    const named = { ...demoUser, name: 'Demo User' }
    const other = await createTestApp({ app: { playground: createPlayground({ relyingParty, demoUser: named }) } })
    expect((await other.send('GET', '/playground/settings.json')).body).toEqual({ origins, demoUser })
    const withoutUser = await createTestApp({ app: { playground: createPlayground({ relyingParty }) } })
    expect((await withoutUser.send('GET', '/playground/settings.json')).body).toEqual({ origins, demoUser: null })
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('refuses %s and names the allowed methods', async (method) => {
    for (const path of [...files, '/playground/settings.json']) {
      const { status, headers, body } = await test.send(method, path)
      expect([status, headers.get('allow'), body]).toEqual([
        405,
        'GET, HEAD',
        { message: 'Method not allowed', statusCode: 405, code: 'method_not_allowed' },
      ])
    }
  })

  it.each([
    '/playground/',
    '/playground/index.html',
    '/playground/nothing.js',
    '/playground/toString',
    '/playground/playground.js/',
    '/playground/..%2Findex.js',
    '/playground/%2e%2e/index.js',
    '/playground//style.css',
    '/Playground',
  ])('is not served at %s', async (path) => {
    for (const method of ['GET', 'POST']) expect((await test.send(method, path)).status).toBe(404)
  })

  it('is logged with its route template', async () => {
    const { logger, send } = await anApp()
    await send('GET', '/playground/nothing.js')
    expect(logger.entries).toContainEqual(
      expect.objectContaining({
        event: 'request',
        fields: expect.objectContaining({ route: '/playground/{file}', status: 404 }),
      }),
    )
  })
})

describe('a host that embeds the app', () => {
  it('has no playground page unless it asks for one', async () => {
    for (const path of [...files, '/playground/settings.json']) {
      const { status, body } = await (await createTestApp()).send('GET', path)
      expect([status, body]).toEqual([404, { message: 'Not found', statusCode: 404, code: 'route_not_found' }])
    }
  })
})
