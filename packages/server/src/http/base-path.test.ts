import { operations } from '@countersign/contract'
import { createTestUser, testPassword } from '@countersign/core/testing'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApp } from '../app.ts'
import { createPlayground } from '../playground.ts'
import { createReference } from '../reference.ts'
import { adapters } from '../testing/adapters.ts'
import { createTestApp } from '../testing/test-app.ts'

const below = await createTestApp({ app: { basePath: '/auth', reference: createReference() } })
const notFound = { message: 'Not found', statusCode: 404, code: 'route_not_found' }

describe('an app below a base path', () => {
  it('answers at that path', async () => {
    expect((await below.send('GET', '/auth/health')).status).toBe(200)
    const { email } = await createTestUser(below)
    const login = await below.send('POST', '/auth/api/v1/auth/login', { json: { email, password: testPassword } })
    const { accessToken: token } = (login.body as { readonly data: { readonly accessToken: string } }).data
    const devices = await below.send('GET', '/auth/api/v1/auth/devices', { token })
    expect([devices.status, devices.body]).toEqual([200, { data: { devices: [] } }])
    const member = await below.send('GET', '/auth/api/v1/auth/confirmation/conf_01900000-0000-7000-8000-000000000001/status', {
      token,
    })
    expect(member.body).toMatchObject({ message: 'Confirmation not found' })
    const wrongMethod = await below.send('GET', '/auth/api/v1/auth/login')
    expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it.each([
    '/health',
    '/api/v1/auth/login',
    '/auth',
    '/auth/',
    '/authhealth',
    '/Auth/health',
    '/auth/auth/health',
    '/%61uth/health',
  ])('answers nothing at %s', async (path) => {
    const { status, body } = await below.send('GET', path)
    expect([status, body]).toEqual([404, notFound])
  })

  it('uses the error format of the service that the path belongs to', async () => {
    const { status, body } = await below.send('GET', '/auth/api/v1/projects/a/b/c')
    expect([status, body]).toEqual([404, { error: { ...notFound, code: 'NOT_FOUND', details: {} } }])
  })

  it('describes itself and serves its pages below that path', async () => {
    expect((await below.send('GET', '/auth/openapi.json')).body).toMatchObject({ servers: [{ url: '/auth' }] })
    expect((await (await createTestApp()).send('GET', '/openapi.json')).body).toMatchObject({ servers: [{ url: '/' }] })
    expect((await below.app.request('/auth/docs')).status).toBe(200)
    expect((await below.app.request('/docs')).status).toBe(404)
  })

  it('refuses a request target that differs from its normalised URL', async () => {
    const { countersign } = await createTestCountersign()
    const app = createApp(countersign, { version: '1', basePath: '/auth', requestTarget: (env) => env as string })
    const ask = async (target: string) =>
      (await app.fetch(new Request(new URL(target, 'http://countersign.test')), target)).status
    expect(await ask('/auth/health')).toBe(200)
    expect(await ask('/auth/x/../health')).toBe(404)
    expect(await ask('/x/../auth/health')).toBe(404)
    expect(await ask('/auth/../health')).toBe(404)
  })

  it('answers only below the base path, through both adapters', async () => {
    for (const start of Object.values(adapters)) {
      const { url, close } = await start(await createTestCountersign(), { basePath: '/auth' })
      onTestFinished(() => close(0))
      const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status
      expect([await statusOf('/health'), await statusOf('/auth/health')]).toEqual([404, 200])
    }
  })

  it.each(['auth', '/', '/auth/', '//auth', '/a//b', '/a b', '/a?b', '/a#b', '/%61', '/./a', '/a/..', '/a:b', '/*'])(
    'cannot be created with %j',
    async (basePath) => {
      await expect(createTestApp({ app: { basePath } })).rejects.toThrow(RangeError)
    },
  )
})

describe('deciding whether a request is for Countersign', () => {
  const pages = { playground: createPlayground({ relyingParty: { origins: [] } }), reference: createReference() }

  it('accepts every operation and every enabled page', async () => {
    const { handles } = (await createTestApp({ app: pages })).app
    for (const { path } of Object.values(operations)) expect([path, handles(path.replaceAll(/[{}]/g, ''))]).toEqual([path, true])
    for (const path of ['/openapi.json', '/docs', '/docs/style.css', '/playground', '/playground/settings.json']) {
      expect([path, handles(path)]).toEqual([path, true])
      expect(handles(`http://host.example${path}?x=/y`)).toBe(true)
      expect((await createTestApp()).app.handles(path)).toBe(path === '/openapi.json')
    }
  })

  it.each([
    '/',
    '',
    '*',
    '/api',
    '/api/v1',
    '/api/orders',
    '/api/v1/nothing',
    '/api/v1/auth',
    '/health/',
    '/healthy',
    '/Health',
    '/openapiXjson',
    '/%68ealth',
    '/internal',
    'http://host.example',
  ])('rejects %j', async (target) => {
    expect((await createTestApp({ app: pages })).app.handles(target)).toBe(false)
  })

  it('gives the same result if cross-origin pages can call', async () => {
    const { handles } = (await createTestApp({ app: { corsOrigins: ['https://app.example.com'] } })).app
    expect(['/health', '/api/orders', '/'].map(handles)).toEqual([true, false, false])
  })

  it('accepts only paths below the base path', () => {
    const { handles } = below.app
    expect(['/auth/health', '/auth/openapi.json', '/health', '/auth', '/auth/orders'].map(handles)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
