import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createServiceClient,
  createVerifier,
  type Introspection,
  type VerifierOptions,
  VerifierUnavailable,
} from '@countersign/client-sdk/verifier'
import { cheapHasher, testPassword } from '@countersign/core/testing'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { signIn, signInWithDevice } from '../../server/src/testing/sign-in.ts'
import { createTestApp, type TestApp } from '../../server/src/testing/test-app.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** A verifier of this app, and the number of its requests. */
const verifierOf = (test: TestApp, options: Partial<VerifierOptions> = {}) => {
  const fetch = vi.fn<typeof globalThis.fetch>(async (input, init) => test.app.fetch(new Request(input, init), {}))
  const verifier = createVerifier({ baseUrl: 'http://countersign.test', serviceName: 'billing', fetch, ...options })
  return { verifier, fetch }
}

/** The same service in each framework. The service reports the caller, and demands a permission by its path. */
const services = {
  Hono: async (verifier: ReturnType<typeof createVerifier>) => {
    const app = new Hono<{ Variables: { claims: Introspection } }>()
    app.get('/whoami', verifier.hono(), (c) => c.json(c.get('claims')))
    app.get('/invoices', verifier.hono({ permission: 'invoice.read' }), (c) => c.json(c.get('claims')))
    app.get('/payments', verifier.hono({ trustLevel: 'high' }), (c) => c.json(c.get('claims')))
    const ofTenant = verifier.hono({ permission: 'invoice.read', tenant: ({ req }) => req.param('tenant') })
    app.get('/of/:tenant', ofTenant, (c) => c.json(c.get('claims')))
    return (path: string, headers: Record<string, string>) => Promise.resolve(app.request(path, { headers }))
  },
  Express: async (verifier: ReturnType<typeof createVerifier>) => {
    const app = express()
    const tell: express.Handler = (_request, response) => {
      response.json(response.locals.claims)
    }
    app.get('/whoami', verifier.express(), tell)
    app.get('/invoices', verifier.express({ permission: 'invoice.read' }), tell)
    app.get('/payments', verifier.express({ trustLevel: 'high' }), tell)
    app.get('/of/:tenant', verifier.express({ permission: 'invoice.read', tenant: ({ params }) => String(params.tenant) }), tell)
    const server = createServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(() => new Promise((done) => server.close(done)))
    const { port } = server.address() as AddressInfo
    return (path: string, headers: Record<string, string>) => fetch(`http://127.0.0.1:${port}${path}`, { headers })
  },
  Fastify: async (verifier: ReturnType<typeof createVerifier>) => {
    const app = fastify()
    app.decorateRequest('claims', null)
    const tell = async (request: object) => (request as { claims: Introspection }).claims
    app.get('/whoami', { onRequest: verifier.fastify() }, tell)
    app.get('/invoices', { onRequest: verifier.fastify({ permission: 'invoice.read' }) }, tell)
    app.get('/payments', { onRequest: verifier.fastify({ trustLevel: 'high' }) }, tell)
    const tenant = ({ params }: { readonly params: unknown }) => (params as { readonly tenant: string }).tenant
    app.get('/of/:tenant', { onRequest: verifier.fastify({ permission: 'invoice.read', tenant }) }, tell)
    closing.push(() => app.close())
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    return (path: string, headers: Record<string, string>) => fetch(address + path, { headers })
  },
}

/** Makes a text in the form of a token with this payload. */
const tokenOf = (payload: unknown): string => `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.signature`

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

let test: TestApp
beforeEach(async () => {
  test = await createTestApp()
})

describe.each(Object.entries(services))('a service in %s behind a verifier', (_, serve) => {
  it('accepts a valid token, and gives its claims to the route', async () => {
    const { user, token } = await signIn(test)
    const ask = await serve(verifierOf(test).verifier)
    const answer = await ask('/whoami', bearer(token))
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ id: user.id, email: user.email, directoryId: null, token_use: 'access' })
  })

  it.each([
    ['no token', {}],
    ['an unknown token', bearer('abc.def.ghi')],
    ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }],
    ['text that is not a token', { authorization: 'Bearer a b' }],
    ['a very long token', bearer('a'.repeat(9000))],
  ])('refuses %s with 401', async (_what, headers) => {
    const ask = await serve(verifierOf(await createTestApp()).verifier)
    const answer = await ask('/whoami', headers)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(await answer.json()).toStrictEqual({ message: 'Authentication required', statusCode: 401 })
  })

  it('refuses a token from the moment that its session ends', async () => {
    const { token, tokens } = await signIn(test)
    const ask = await serve(verifierOf(test).verifier)
    expect((await ask('/whoami', bearer(token))).status).toBe(200)
    await test.ask('auth.logout', { refreshToken: tokens.refreshToken }, { token })
    expect((await ask('/whoami', bearer(token))).status).toBe(401)
  })

  it('requires a permission, which a wildcard also grants', async () => {
    const { user, token } = await signIn(test)
    const ask = await serve(verifierOf(test).verifier)
    expect((await ask('/invoices', bearer(token))).status).toBe(403)
    await test.countersign.users.grant({ email: user.email, permissions: ['invoice.*'] })
    expect((await ask('/invoices', bearer(token))).status).toBe(200)
  })

  it('requires a permission in the tenant of the request', async () => {
    const { user, token } = await signIn(test)
    const ask = await serve(verifierOf(test).verifier)
    await test.countersign.users.grant({ email: user.email, permissions: ['invoice.*@acme', 'invoice.read@Acme:eu'] })
    const statusOf = async (tenant: string) => (await ask(`/of/${tenant}`, bearer(token))).status
    expect([await statusOf('acme'), await statusOf('Acme:eu')]).toEqual([200, 200])
    for (const tenant of ['other', 'Acme', 'a%20b', 'a'.repeat(65)]) expect(await statusOf(tenant)).toBe(403)
    expect((await ask('/invoices', bearer(token))).status).toBe(403)
  })

  it('requires a login by device signature', async () => {
    const { token, deviceToken } = await signInWithDevice(test)
    const ask = await serve(verifierOf(test).verifier)
    expect((await ask('/payments', bearer(token))).status).toBe(403)
    expect((await ask('/payments', bearer(deviceToken))).status).toBe(200)
  })

  it('refuses every request with 503 while Countersign does not respond', async () => {
    const { token } = await signIn(test)
    const away = verifierOf(test, { fetch: () => Promise.reject(new TypeError('connection refused')) })
    const answer = await (await serve(away.verifier))('/whoami', bearer(token))
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(await answer.text()).not.toContain(token)
  })
})

describe('a verifier', () => {
  it.each([
    ['has another status', () => new Response('{"valid":true}', { status: 203 })],
    ['has no claims', () => Response.json({ valid: true })],
    ['has empty claims', () => Response.json({ valid: true, claims: {} })],
    [
      'has members of other types',
      () => Response.json({ valid: 'true', claims: { id: 1, permissions: [], token_use: 'access' } }),
    ],
    ['is a page', () => new Response('<html>login</html>')],
    ['reports a failure', () => new Response('{}', { status: 500 })],
    ['reports a rate limit', () => new Response('{}', { status: 429 })],
    ['reports a bad request', () => new Response('{}', { status: 400 })],
  ])('does not trust a response that %s', async (_what, answer) => {
    const { verifier } = verifierOf(await createTestApp(), { fetch: async () => answer() })
    await expect(verifier.introspect('a.b.c')).rejects.toThrow(VerifierUnavailable)
  })

  it('waits for a response only until its time limit', async () => {
    const stalled = createServer(() => {}).listen(0, '127.0.0.1')
    await once(stalled, 'listening')
    closing.push(async () => stalled.close().closeAllConnections())
    const { port } = stalled.address() as AddressInfo
    const verifier = createVerifier({ baseUrl: `http://127.0.0.1:${port}`, serviceName: 'billing', timeout: 50 })
    await expect(verifier.introspect('a.b.c')).rejects.toThrow(VerifierUnavailable)
  })

  it('follows no redirect', async () => {
    const asked: string[] = []
    const claims = {
      id: 1,
      email: 'ada@example.com',
      permissions: [],
      token_use: 'access',
      device_id: null,
      trust_level: 'standard',
    }
    const elsewhere = createServer(({ url = '' }, response) => {
      asked.push(url)
      if (url === '/valid') response.end(JSON.stringify({ valid: true, claims }))
      else response.writeHead(302, { location: '/valid' }).end()
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    closing.push(() => new Promise((done) => elsewhere.close(done)))
    const { port } = elsewhere.address() as AddressInfo
    const verifier = createVerifier({ baseUrl: `http://127.0.0.1:${port}`, serviceName: 'billing' })
    await expect(verifier.introspect('a.b.c')).rejects.toThrow(VerifierUnavailable)
    expect(asked).toEqual(['/internal/verify'])
  })

  it('uses a redirect mode that Cloudflare Workers support', async () => {
    const { token } = await test.countersign.serviceTokens.issue({ service: 'billing', scopes: [] })
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if (!['follow', 'manual'].includes(init?.redirect ?? 'follow')) throw new TypeError('Invalid redirect value')
      return test.app.fetch(new Request(input, init))
    }
    await expect(verifierOf(test, { fetch }).verifier.introspect(token)).resolves.toBeDefined()
  })

  it('accepts a service token only with the service name of the token', async () => {
    const { token } = await test.countersign.serviceTokens.issue({ service: 'billing', scopes: ['invoice.read'] })
    await expect(verifierOf(test).verifier.introspect(token)).resolves.toMatchObject({ id: null, service_name: 'billing' })
    await expect(verifierOf(test, { serviceName: 'shipping' }).verifier.introspect(token)).resolves.toBeUndefined()
  })

  it.each(['Billing', 'PROJECT_SERVICE', 'Project Service', 'team/orders.v2'])(
    'accepts the service name %j, in any case',
    async (service) => {
      const { token } = await test.countersign.serviceTokens.issue({ service, scopes: [] })
      const asked = verifierOf(test, { serviceName: service.toUpperCase() }).verifier.introspect(token)
      await expect(asked).resolves.toMatchObject({ service_name: service })
    },
  )

  it('asks Countersign each time, unless `staleness` allows a recent result', async () => {
    const { token } = await signIn(test)
    const fresh = verifierOf(test)
    await fresh.verifier.introspect(token)
    await fresh.verifier.introspect(token)
    expect(fresh.fetch).toHaveBeenCalledTimes(2)

    vi.useFakeTimers({ toFake: ['performance', 'Date'], now: test.clock.now() })
    const { verifier, fetch } = verifierOf(test, { staleness: 5 })
    await Promise.all([verifier.introspect(token), verifier.introspect(token)])
    vi.advanceTimersByTime(4999)
    await verifier.introspect(token)
    expect(fetch).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    await verifier.introspect(token)
    expect(fetch).toHaveBeenCalledTimes(2)
  })

  it.each([
    ['admits no token after its end, however fresh the result is', (exp: number) => exp * 1000],
    ['admits a token until its end', (exp: number) => exp * 1000 - 1],
  ])('%s', async (_what, at) => {
    const { token } = await signIn(test)
    const exp = Math.floor(test.clock.now() / 1000) + 8 * 3600
    vi.useFakeTimers({ toFake: ['performance', 'Date'], now: exp * 1000 - 2 })
    const { verifier, fetch } = verifierOf(test, { staleness: 60 })
    test.clock.set(exp * 1000 - 2)
    expect(await verifier.introspect(token)).toBeDefined()
    const now = at(exp)
    vi.advanceTimersByTime(now - Date.now())
    test.clock.set(now)
    expect((await verifier.introspect(token)) === undefined).toBe(now >= exp * 1000)
    expect(fetch).toHaveBeenCalledTimes(now >= exp * 1000 ? 2 : 1)
  })

  it('caches the results of a token for each tenant separately', async () => {
    const { user, token } = await signIn(test)
    await test.countersign.users.grant({ email: user.email, permissions: ['invoice.read@acme'] })
    vi.useFakeTimers({ toFake: ['performance', 'Date'], now: test.clock.now() })
    const { verifier, fetch } = verifierOf(test, { staleness: 60 })
    for (let round = 0; round < 2; round += 1) {
      expect((await verifier.introspect(token, { tenant: 'acme' }))?.permissions).toEqual(['invoice.read'])
      expect((await verifier.introspect(token, { tenant: 'other' }))?.permissions).toEqual([])
      expect(await verifier.introspect(token)).toMatchObject({ permissions: [], tenants: { acme: ['invoice.read'] } })
    }
    expect(fetch).toHaveBeenCalledTimes(3)
    await expect(verifier.introspect(token, { tenant: 'a b' })).rejects.toThrow(RangeError)
  })

  it('caches the results of two users of a host separately', async () => {
    const passwordHash = await cheapHasher().hash(testPassword)
    const people = ['7', '8'].map((id) => ({ id, email: `${id}@example.test`, passwordHash, disabled: false }))
    const users = {
      byEmail: async (wanted: string) => people.find(({ email }) => email === wanted),
      byId: async (wanted: string) => people.find(({ id }) => id === wanted),
    }
    const test = await createTestApp({ users })
    const { verifier, fetch } = verifierOf(test, { staleness: 60 })
    vi.useFakeTimers({ toFake: ['performance', 'Date'], now: test.clock.now() })
    const logins = await Promise.all(
      people.map(async ({ id, email }) => ({ id, ...(await test.ask('auth.login', { email, password: testPassword })) })),
    )
    for (const { id, accessToken } of [...logins, ...logins]) {
      expect((await verifier.introspect(accessToken))?.directoryId).toBe(id)
    }
    expect(fetch).toHaveBeenCalledTimes(2)
  })

  it('caches no result for a token without an expiry', async () => {
    const answer = { valid: true, claims: { id: 1, permissions: [], token_use: 'access' } }
    const fetch = vi.fn<typeof globalThis.fetch>(async () => Response.json(answer))
    const { verifier } = verifierOf(await createTestApp(), { staleness: 60, fetch })
    for (const token of ['opaque', 'a.b.c', tokenOf({}), tokenOf({ exp: 'never' }), tokenOf(null)]) {
      await verifier.introspect(token)
      await verifier.introspect(token)
    }
    expect(fetch).toHaveBeenCalledTimes(10)
  })

  it('caches neither a refusal nor a failure', async () => {
    const { verifier, fetch } = verifierOf(await createTestApp(), { staleness: 60 })
    await verifier.introspect('a.b.c')
    await verifier.introspect('a.b.c')
    fetch.mockRejectedValueOnce(new TypeError('connection refused'))
    await expect(verifier.introspect('a.b.c')).rejects.toThrow(VerifierUnavailable)
    await expect(verifier.introspect('a.b.c')).resolves.toBeUndefined()
    expect(fetch).toHaveBeenCalledTimes(4)
  })

  it('caches only the latest results, up to a limit', async () => {
    const answer = { valid: true, claims: { id: 1, permissions: [], token_use: 'access' } }
    const fetch = vi.fn<typeof globalThis.fetch>(async () => Response.json(answer))
    const { verifier } = verifierOf(await createTestApp(), { staleness: 60, fetch })
    const token = tokenOf({ exp: Date.now() / 1000 + 3600 })
    for (let count = 0; count <= 10_000; count += 1) await verifier.introspect(`${token}${count}`)
    await verifier.introspect(`${token}10000`)
    expect(fetch).toHaveBeenCalledTimes(10_001)
    await verifier.introspect(`${token}0`)
    expect(fetch).toHaveBeenCalledTimes(10_002)
  })

  it.each([0, 0.5, 60])('accepts a staleness of %s', (staleness) => {
    expect(createVerifier({ baseUrl: 'http://countersign.test', serviceName: 'billing', staleness })).toBeDefined()
  })

  it.each([-1, Number.NaN, 60.001, 3600, Number.POSITIVE_INFINITY])('refuses a staleness of %s', (staleness) => {
    expect(() => createVerifier({ baseUrl: 'http://countersign.test', serviceName: 'billing', staleness })).toThrow(RangeError)
  })
})

describe('the base URL of a verifier and of a service client', () => {
  const asked = async (baseUrl: string) => {
    const urls: string[] = []
    const fetch = async (url: unknown) => {
      urls.push(String(url))
      return new Response(null, { status: 401 })
    }
    await createVerifier({ baseUrl, serviceName: 'billing', fetch }).introspect('abc')
    const service = createServiceClient({ baseUrl, serviceName: 'billing', token: 'abc', fetch })
    await expect(service.confirmation({ confirmationId: 'conf_1' })).rejects.toMatchObject({ status: 401 })
    return urls
  }

  it('may end with a slash, and may have a path', async () => {
    const urls = ['http://countersign.test/auth/internal/verify', 'http://countersign.test/auth/internal/confirmations/conf_1']
    expect((await asked('http://countersign.test/auth/')).map((url) => url.split('?')[0])).toEqual(urls)
  })

  it.each(['http://countersign.test/#x', 'http://countersign.test/?x', 'http://a@countersign.test', 'countersign.test', ''])(
    'is refused as %j, if a token could reach another path',
    (baseUrl) => {
      const refusal = { code: 'VALIDATION_ERROR', details: { baseUrl: expect.any(String) } }
      const refused = (create: () => unknown) => expect(create).toThrow(expect.objectContaining(refusal))
      refused(() => createVerifier({ baseUrl, serviceName: 'billing' }))
      refused(() => createServiceClient({ baseUrl, serviceName: 'billing', token: 'abc' }))
    },
  )

  it('is called with the `fetch` that the platform has at the time of the call', async () => {
    const verifier = createVerifier({ baseUrl: 'http://countersign.test', serviceName: 'billing' })
    const later = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null, { status: 401 }))
    onTestFinished(() => later.mockRestore())
    expect(await verifier.introspect('abc')).toBeUndefined()
    expect(later).toHaveBeenCalledOnce()
  })
})
