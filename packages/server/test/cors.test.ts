import { operations } from '@countersign/contract'
import { createTestUser, testPassword } from '@countersign/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Listening } from '../src/adapters/node/listen.ts'
import { startHonoServer } from '../src/testing/hono-server.ts'
import { startRealServer } from '../src/testing/real-server.ts'
import { createTestApp, type TestApp } from '../src/testing/test-app.ts'

const APP = 'https://app.example.com'
const OTHER = 'https://app.example.com.evil.test'

let test: TestApp
let node: Listening
let hono: Listening
let closed: Listening
beforeAll(async () => {
  test = await createTestApp({ app: { corsOrigins: [APP] } })
  node = await startRealServer(test, { corsOrigins: [APP] })
  hono = await startHonoServer(test, { corsOrigins: [APP] })
  closed = await startRealServer(test)
})
afterAll(() => Promise.all([node, hono, closed].map((one) => one?.close(0))))

const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => /^(access-control-|vary$)/.test(name)))

const granted = {
  vary: 'Origin',
  'access-control-allow-origin': APP,
  'access-control-expose-headers': 'Retry-After, RateLimit, RateLimit-Policy, X-Request-Id',
}
const refused = { vary: 'Origin' }

const servers = [
  ['node', () => node],
  ['hono', () => hono],
] as const

describe.each(servers)('through the adapter %s', (_adapter, server) => {
  const post = async (path: string, body: unknown, origin: string) =>
    fetch(`${server().url}${path}`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  it('a page of a listed origin can read every response, including refusals', async () => {
    const { email } = await createTestUser(test)
    const answers = [
      [200, await fetch(`${server().url}/health`, { headers: { origin: APP } })],
      [401, await fetch(`${server().url}/internal/verify`, { headers: { origin: APP, 'x-service-name': 'billing' } })],
      [401, await fetch(`${server().url}/api/v1/projects`, { headers: { origin: APP } })],
      [404, await fetch(`${server().url}/nothing`, { headers: { origin: APP } })],
      [405, await fetch(`${server().url}/health`, { method: 'DELETE', headers: { origin: APP } })],
      [200, await fetch(`${server().url}/openapi.json`, { headers: { origin: APP } })],
      [200, await post('/api/v1/auth/login', { email, password: testPassword }, APP)],
      [401, await post('/api/v1/auth/login', { email, password: 'wrong' }, APP)],
      [400, await post('/api/v1/auth/login', {}, APP)],
      [413, await post('/api/v1/auth/login', { email: 'x'.repeat(20_000) }, APP)],
    ] as const
    for (const [status, answer] of answers) {
      expect(answer.status).toBe(status)
      expect(corsOf(answer)).toEqual(granted)
    }
  })

  it('a page of another or no origin gets no CORS headers', async () => {
    for (const origin of [OTHER, 'null', 'http://app.example.com', 'https://APP.example.com', '']) {
      expect(corsOf(await fetch(`${server().url}/health`, { headers: { origin } }))).toEqual(refused)
      expect(corsOf(await post('/api/v1/auth/login', {}, origin))).toEqual(refused)
    }
    expect(corsOf(await fetch(`${server().url}/health`))).toEqual(refused)
  })

  const preflight = (path: string, origin: string, method: string) =>
    fetch(`${server().url}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      },
    })

  it('a preflight is answered for every route', async () => {
    for (const { method, path } of [...Object.values(operations), { method: 'GET', path: '/openapi.json' }]) {
      const answer = await preflight(path.replaceAll(/\{\w+\}/g, 'x'), APP, method)
      expect(answer.status, path).toBe(204)
      expect(await answer.text()).toBe('')
      expect(corsOf(answer)).toMatchObject({
        'access-control-allow-origin': APP,
        'access-control-allow-methods': expect.stringContaining(method),
        'access-control-allow-headers': 'authorization,content-type',
      })
    }
  })

  it('a preflight of another origin is answered like any OPTIONS', async () => {
    for (const origin of [OTHER, 'null']) {
      const answer = await preflight('/api/v1/auth/login', origin, 'POST')
      expect(answer.status).toBe(405)
      expect(corsOf(answer)).toEqual(refused)
    }
    expect((await fetch(`${server().url}/health`, { method: 'OPTIONS', headers: { origin: APP } })).status).toBe(405)
  })
})

it('no response has CORS headers when no origin is listed', async () => {
  for (const path of ['/health', '/api/v1/projects', '/nothing']) {
    expect(corsOf(await fetch(`${closed.url}${path}`, { headers: { origin: APP } }))).toEqual({})
  }
  const answer = await fetch(`${closed.url}/health`, {
    method: 'OPTIONS',
    headers: { origin: APP, 'access-control-request-method': 'GET' },
  })
  expect([answer.status, corsOf(answer)]).toEqual([405, {}])
})
