import { defaultRateLimits, perMinute, type RateLimits } from '@countersign/core'
import { createTestCountersign, createTestStorage } from '@countersign/storage-sqlite/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { adapters } from '../testing/adapters.ts'
import { createProjectApp } from '../testing/project-app.ts'
import { signIn } from '../testing/sign-in.ts'
import { createTestApp } from '../testing/test-app.ts'

const minute = 60_000

/** Allows three concurrent requests in each of these categories, in addition to the default limits. */
const limiting = (...categories: readonly (keyof RateLimits)[]) => {
  const three = perMinute(1, 60 * minute, 3)
  const further = Object.fromEntries(categories.map((category) => [category, three]))
  return { options: { rateLimits: { ...defaultRateLimits, ...further } } }
}

const serviceName = 'billing'

describe('an optional limit that a host sets', () => {
  it('covers all routes of the project service together, per session, with the error body of that service', async () => {
    const test = await createProjectApp(limiting('projects'))
    const { token } = test
    const { headers } = await test.call('projects.list', {}, { token })
    expect(headers.get('ratelimit-policy')).toBe('"burst";q=3;w=180, "window";q=60;w=3600')
    expect(headers.get('ratelimit')).toBe('"burst";r=2;t=60')
    expect((await test.call('projects.get', { uniqueCode: 'PRJ-2026-000001' }, { token })).status).toBe(404)
    expect((await test.call('productSchemas.list', {}, { token, address: '198.51.100.7' })).status).toBe(200)
    const refused = await test.call('projects.create', test.body(), { token, address: '198.51.100.8' })
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
      429,
      '60',
      { error: { code: 'RATE_LIMITED', message: 'Rate limit exceeded', details: {}, statusCode: 429 } },
    ])
    const other = await test.signInWith('project.*')
    expect((await test.call('projects.list', {}, { token: other.token })).status).toBe(200)
    test.clock.advance(minute)
    expect((await test.call('projects.list', {}, { token })).status).toBe(200)
  })

  it('covers repeated calls of /internal/verify, per calling address', async () => {
    const test = await createTestApp(limiting('internal'))
    const { token } = await signIn(test)
    const verify = (address?: string) =>
      test.call('internal.verify', { serviceName }, { token, ...(address === undefined ? {} : { address }) })
    for (const remaining of [2, 1, 0]) {
      const { status, headers } = await verify()
      expect([status, headers.get('ratelimit')]).toEqual([200, expect.stringMatching(`^"burst";r=${remaining};t=`)])
    }
    const { status, headers, body } = await verify()
    expect([status, headers.get('retry-after'), body]).toEqual([
      429,
      '60',
      { message: 'Rate limit exceeded', statusCode: 429, code: 'rate_limited' },
    ])
    expect((await verify('198.51.100.7')).status).toBe(200)
  })

  it('covers /health', async () => {
    const test = await createTestApp(limiting('health'))
    for (let request = 0; request < 3; request += 1) expect((await test.call('health.check')).status).toBe(200)
    const { status, body } = await test.call('health.check')
    expect([status, body]).toEqual([429, { message: 'Rate limit exceeded', statusCode: 429, code: 'rate_limited' }])
  })

  it('leaves the other limits unchanged', async () => {
    const test = await createTestApp(limiting('health'))
    const { token } = await signIn(test)
    const { headers } = await test.call('internal.verify', { serviceName }, { token })
    expect(headers.get('ratelimit')).toBeNull()
  })

  it.each(Object.entries(adapters))('applies through the adapter %s', async (_, start) => {
    const listening = await start(await createTestCountersign(limiting('health', 'internal')))
    onTestFinished(() => listening.close(0))
    const statuses = async (path: string) => {
      const headers = { authorization: 'Bearer a.b.c', 'x-service-name': serviceName }
      const answers: number[] = []
      for (let request = 0; request < 4; request += 1) answers.push((await fetch(`${listening.url}${path}`, { headers })).status)
      return answers
    }
    expect(await statuses('/health')).toEqual([200, 200, 200, 429])
    expect(await statuses('/internal/verify')).toEqual([401, 401, 401, 429])
  })
})

describe('without optional limits', () => {
  it('the project service, /internal/verify and /health never access the rate limit store', async () => {
    const opened = await createTestStorage()
    const rateLimitStore = { ...opened.rateLimits, take: vi.fn(opened.rateLimits.take) }
    const test = await createProjectApp({ storage: opened, rateLimitStore })
    rateLimitStore.take.mockClear()
    expect((await test.call('health.check')).status).toBe(200)
    expect((await test.call('projects.list', {}, { token: test.token })).status).toBe(200)
    expect((await test.call('internal.verify', { serviceName }, { token: test.token })).status).toBe(200)
    expect(rateLimitStore.take).not.toHaveBeenCalled()
  })

  it('any number of requests gets an answer', async () => {
    const test = await createProjectApp()
    for (let request = 0; request < 70; request += 1) {
      expect((await test.call('projects.list', {}, { token: test.token })).headers.get('ratelimit')).toBeNull()
      expect((await test.call('internal.verify', { serviceName }, { token: test.token })).status).toBe(200)
    }
  })
})
