import { describe, expect, it } from 'vitest'
import { signIn } from '../testing/sign-in.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { rateLimitHeaders } from './rate-limit.ts'

const begin = (test: TestApp, address?: string) =>
  test.call('mobile.beginLogin', { deviceFingerprint: 'x' }, address === undefined ? {} : { address })

describe('the headers of a limited route', () => {
  it('tell the limit and how it stands', async () => {
    const test = createTestApp()
    const { headers } = await begin(test)
    expect(headers.get('ratelimit-policy')).toBe('"burst";q=20;w=120, "window";q=600;w=3600')
    expect(headers.get('ratelimit')).toBe('"burst";r=19;t=6')
  })

  it('stand beside refusals that come later', async () => {
    const test = createTestApp()
    const { status, headers } = await test.call('auth.login', { email: 'a@example.test', password: 'wrong' })
    expect(status).toBe(401)
    expect(headers.get('ratelimit')).toBe('"burst";r=19;t=6')
  })

  it('tell of the window where it is what refuses', () => {
    const limit = { burst: 20, refillMs: 6000, windowMax: 600, windowMs: 3_600_000 }
    const outcome = { limit, allowed: false, remaining: 3, resetMs: 100, retryAfterMs: 1_800_001, refusedBy: 'window' } as const
    expect(rateLimitHeaders(outcome).RateLimit).toBe('"window";r=0;t=1801')
  })

  it('are not there where nothing is limited', async () => {
    const health = await createTestApp().call('health.check')
    const unlimited = await begin(createTestApp({ options: { rateLimits: 'off' } }))
    for (const { headers } of [health, unlimited]) {
      expect([headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([null, null])
    }
  })
})

describe('a limit', () => {
  it('refuses with 429 and says when to come back, and is refilled by time', async () => {
    const test = createTestApp()
    for (let request = 0; request < 20; request += 1) expect((await begin(test)).status).toBe(200)
    const { status, body, headers } = await begin(test)
    expect([status, body]).toEqual([429, { message: 'Rate limit exceeded', statusCode: 429 }])
    expect(headers.get('retry-after')).toBe('6')
    expect(headers.get('ratelimit')).toBe('"burst";r=0;t=120')
    test.clock.advance(5999)
    expect((await begin(test)).status).toBe(429)
    test.clock.advance(1)
    expect((await begin(test)).status).toBe(200)
    expect((await begin(test)).status).toBe(429)
  })

  it('is one for all routes of a category, and one for each address', async () => {
    const test = createTestApp()
    for (let request = 0; request < 20; request += 1) await begin(test)
    expect((await test.call('auth.login', { email: 'a@example.test', password: 'x' })).status).toBe(429)
    expect((await begin(test, '198.51.100.7')).status).toBe(200)
  })

  it('counts the user where there is one, from wherever the requests come', async () => {
    const test = createTestApp()
    const { token } = await signIn(test)
    for (let request = 0; request < 60; request += 1) {
      const { status } = await test.call('devices.list', {}, { token, address: `198.51.100.${request}` })
      expect(status).toBe(200)
    }
    expect((await test.call('devices.list', {}, { token })).status).toBe(429)
    const other = await signIn(test)
    expect((await test.call('devices.list', {}, { token: other.token })).status).toBe(200)
    expect((await test.call('confirmations.status', { confirmationId: 'x' }, { token })).status).toBe(404)
  })

  it('is taken before a body is read, so that bad ones count', async () => {
    const test = createTestApp()
    for (let request = 0; request < 20; request += 1) {
      expect((await test.send('POST', '/api/v1/auth/login', { body: '{' })).status).toBe(415)
    }
    expect((await begin(test)).status).toBe(429)
  })

  it('is not touched by requests without a good token', async () => {
    const test = createTestApp()
    for (let request = 0; request < 70; request += 1) {
      expect((await test.call('devices.list', {}, { token: 'a.b.c' })).headers.get('ratelimit')).toBeNull()
    }
    const { token } = await signIn(test)
    expect((await test.call('devices.list', {}, { token })).headers.get('ratelimit')).toBe('"burst";r=59;t=2')
  })

  it('has the figures of each category', async () => {
    const test = createTestApp()
    const { token } = await signIn(test)
    const policyOf = async (answer: ReturnType<TestApp['call']>) => (await answer).headers.get('ratelimit-policy')
    expect(await policyOf(test.call('devices.finishRegistration', {}, { token }))).toBe('"burst";q=10;w=120, "window";q=75;w=900')
    expect(await policyOf(test.call('confirmations.initiate', {}, { token }))).toBe('"burst";q=50;w=150, "window";q=1200;w=3600')
    expect(await policyOf(test.call('devices.list', {}, { token }))).toBe('"burst";q=60;w=120, "window";q=1800;w=3600')
  })

  it('counts one customer of an IPv6 network once, and every spelling of an address as one', async () => {
    const test = createTestApp()
    for (let request = 0; request < 20; request += 1) await begin(test, `2001:db8:1:2:${request.toString(16)}::1`)
    expect((await begin(test, '2001:db8:1:2:ffff::')).status).toBe(429)
    expect((await begin(test, '2001:db8:1:3::1')).status).toBe(200)
  })
})
