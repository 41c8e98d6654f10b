import { operations } from '@countersign/contract'
import { defaultRateLimits, perMinute } from '@countersign/core'
import { anAnnouncement, createTestDevice } from '@countersign/core/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { withPendingPayment } from '../testing/pending-payment.ts'
import { aPayment, givenPolicy, initiatePayment, registerDevice, signIn } from '../testing/sign-in.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { dropLaterReset, rateLimitHeaders } from './rate-limit.ts'

/** Attempts a login by a device, which is refused with 401, or with 429 above the limit. */
const attempt = (test: TestApp, address?: string) =>
  test.call(
    'mobile.finishLogin',
    { sessionId: '00000000-0000-4000-8000-000000000000', signedChallenge: 'AAAA' },
    address === undefined ? {} : { address },
  )

let test: TestApp
beforeEach(async () => {
  test = await createTestApp()
})

describe('the rate limit headers', () => {
  it('contain the policy and the remaining requests', async () => {
    const { headers } = await attempt(test)
    expect(headers.get('ratelimit-policy')).toBe('"burst";q=20;w=120, "window";q=600;w=3600')
    expect(headers.get('ratelimit')).toBe('"burst";r=19;t=6')
  })

  it('are present on a later refusal too', async () => {
    const { status, headers } = await test.call('auth.login', { email: 'a@example.test', password: 'wrong' })
    expect(status).toBe(401)
    expect(headers.get('ratelimit')).toBe('"burst";r=19;t=6')
  })

  it('describe the window when the window refuses', () => {
    const limit = { burst: 20, refillMs: 6000, windowMax: 600, windowMs: 3_600_000 }
    const outcome = {
      limit,
      allowed: false,
      remaining: 3,
      resetMs: 100,
      retryAfterMs: 1_800_001,
      refusedBy: 'window',
      takenAt: 0,
    } as const
    expect(rateLimitHeaders(outcome).RateLimit).toBe('"window";r=0;t=1801')
  })

  it('give the time of the next allowed request, which is never after `Retry-After`', async () => {
    const seen: unknown[] = []
    for (let request = 0; request < 22; request += 1) {
      const { headers } = await attempt(test)
      seen.push([headers.get('ratelimit'), headers.get('retry-after')])
      test.clock.advance(500)
    }
    expect([seen[0], seen[1], seen[12], seen[19], seen[20], seen[21]]).toEqual([
      ['"burst";r=19;t=6', null],
      ['"burst";r=18;t=6', null],
      ['"burst";r=8;t=6', null],
      ['"burst";r=1;t=3', null],
      ['"burst";r=0;t=2', null],
      ['"burst";r=0;t=2', '2'],
    ])
  })

  it('omit `t` when a refusal for another reason has an earlier `Retry-After`', () => {
    const retryAt = (seconds: string) => {
      const headers = { RateLimit: '"burst";r=19;t=6', 'Retry-After': seconds }
      dropLaterReset(headers)
      return headers.RateLimit
    }
    expect(['1', '5', '6', '30'].map(retryAt)).toEqual(['"burst";r=19', '"burst";r=19', '"burst";r=19;t=6', '"burst";r=19;t=6'])
  })

  it('are absent on unlimited routes', async () => {
    const health = await (await createTestApp()).call('health.check')
    const unlimited = await attempt(await createTestApp({ options: { rateLimits: 'off' } }))
    for (const { headers } of [health, unlimited]) {
      expect([headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([null, null])
    }
  })
})

describe('a rate limit', () => {
  it('refuses with 429 and Retry-After, and refills over time', async () => {
    for (let request = 0; request < 20; request += 1) expect((await attempt(test)).status).toBe(401)
    const { status, body, headers } = await attempt(test)
    expect([status, body]).toEqual([429, { message: 'Rate limit exceeded', statusCode: 429, code: 'rate_limited' }])
    expect(headers.get('retry-after')).toBe('6')
    expect(headers.get('ratelimit')).toBe('"burst";r=0;t=6')
    test.clock.advance(5999)
    expect((await attempt(test)).status).toBe(429)
    test.clock.advance(1)
    expect((await attempt(test)).status).toBe(401)
    expect((await attempt(test)).status).toBe(429)
  })

  it('is shared by all routes of a category, per address', async () => {
    for (let request = 0; request < 20; request += 1) await attempt(test)
    expect((await test.call('auth.login', { email: 'a@example.test', password: 'x' })).status).toBe(429)
    expect((await attempt(test, '198.51.100.7')).status).toBe(401)
  })

  it('counts the session when the caller is known, from any address', async () => {
    const { user, token } = await signIn(test)
    for (let request = 0; request < 60; request += 1) {
      const { status } = await test.call('devices.list', {}, { token, address: `198.51.100.${request}` })
      expect(status).toBe(200)
    }
    expect((await test.call('devices.list', {}, { token })).status).toBe(429)
    const other = await signIn(test, user)
    expect((await test.call('devices.list', {}, { token: other.token })).status).toBe(200)
    expect((await test.call('confirmations.status', { confirmationId: 'x' }, { token })).status).toBe(404)
  })

  it('is charged before the body is read, so that invalid bodies count', async () => {
    for (let request = 0; request < 20; request += 1) {
      expect((await test.send('POST', '/api/v1/auth/login', { body: '{' })).status).toBe(415)
    }
    expect((await attempt(test)).status).toBe(429)
  })

  it('is not charged to a session by requests without a valid token', async () => {
    for (let request = 0; request < 70; request += 1) {
      expect((await test.call('devices.list', {}, { token: 'a.b.c' })).headers.get('ratelimit')).toBeNull()
    }
    const { token } = await signIn(test)
    expect((await test.call('devices.list', {}, { token })).headers.get('ratelimit')).toBe('"burst";r=59;t=2')
  })

  it('has the documented numbers in each category', async () => {
    const { token } = await signIn(test)
    const policyOf = async (answer: ReturnType<TestApp['call']>) => (await answer).headers.get('ratelimit-policy')
    expect(await policyOf(test.call('mobile.beginLogin', {}))).toBe('"burst";q=60;w=60, "window";q=3600;w=3600')
    expect(await policyOf(test.call('devices.beginRegistration', {}, { token }))).toBe('"burst";q=10;w=120, "window";q=75;w=900')
    expect(await policyOf(test.call('confirmations.initiate', {}, { token }))).toBe('"burst";q=50;w=150, "window";q=1200;w=3600')
    expect(await policyOf(test.call('devices.list', {}, { token }))).toBe('"burst";q=60;w=120, "window";q=1800;w=3600')
  })

  it('is the one of the documented category for each operation; emergency measures have none', () => {
    const byLimit = Map.groupBy(Object.entries(operations), ([, { rateLimit }]) => rateLimit)
    const shown = Object.fromEntries([...byLimit].map(([limit, entries]) => [limit, entries.map(([name]) => name).sort()]))
    expect(shown).toMatchObject({
      authentication: [
        'auth.login',
        'auth.refresh',
        'mobile.finishLogin',
        'mobile.refresh',
        'passkeys.finishLogin',
        'password.change',
        'password.checkCode',
        'password.forgot',
        'password.redeem',
      ],
      beginning: ['mobile.beginLogin', 'passkeys.beginLogin', 'passkeys.beginRegistration'],
      'device-registration': ['devices.beginRegistration'],
      confirmation: ['approvals.start', 'confirmations.initiate', 'confirmations.verify', 'devices.vouch', 'passkeys.vouch'],
      'device-management': [
        'devices.finishRegistration',
        'devices.list',
        'devices.setPushToken',
        'passkeys.finishRegistration',
        'passkeys.list',
        'passkeys.rename',
        'sessions.list',
      ],
      'session-opening': ['sessions.open'],
      unlimited: [
        'account.lock',
        'approvals.stop',
        'approvals.withdraw',
        'auth.logout',
        'confirmations.reject',
        'confirmations.withdraw',
        'devices.remove',
        'passkeys.remove',
        'sessions.end',
        'sessions.endOthers',
      ],
    })
  })

  it('allows a burst of ten device registrations, because only the challenge counts', async () => {
    const { token } = await signIn(test)
    for (let device = 0; device < 10; device += 1) await registerDevice(test, token)
    const announcement = anAnnouncement(createTestDevice('ES256'))
    expect((await test.call('devices.beginRegistration', announcement, { token })).status).toBe(429)
  })

  it('allows a burst of 50 confirmations and answers the next with 429', async () => {
    const { token } = await signIn(test)
    for (let time = 0; time < 50; time += 1) await initiatePayment(test, token)
    const { status, body, headers } = await test.call('confirmations.initiate', {}, { token })
    expect([status, body]).toEqual([429, { message: 'Rate limit exceeded', statusCode: 429, code: 'rate_limited' }])
    expect(headers.get('retry-after')).toBe('3')
  })

  it('counts each start of an approval request as a confirmation, also if there are too few approvers', async () => {
    const { token } = await signIn(test)
    await givenPolicy(test, 2, 0)
    const start = () => test.call('approvals.start', { actionType: 'payment_approval', actionPayload: aPayment }, { token })
    for (let time = 1; time <= 50; time += 1) {
      const { status, headers } = await start()
      expect([status, headers.get('ratelimit')]).toEqual([409, expect.stringMatching(`^"burst";r=${50 - time};`)])
    }
    expect((await start()).status).toBe(429)
    expect((await test.call('confirmations.initiate', {}, { token })).status).toBe(429)
  })

  it('counts the starts of approval requests for the user, in all sessions', async () => {
    const test = await createTestApp({ options: { approvalStartsPerHour: 2 } })
    const { token, user } = await signIn(test)
    await givenPolicy(test, 1, 1)
    const start = async (by: string) => {
      const action = { actionType: 'payment_approval', actionPayload: aPayment } as const
      const { status, headers } = await test.call('approvals.start', action, { token: by })
      return [status, headers.get('retry-after')]
    }
    const another = await signIn(test, user)
    expect([await start(token), await start(another.token)]).toEqual([200, 200].map((status) => [status, null]))
    expect(await start((await signIn(test, user)).token)).toEqual([429, '3600'])
  })

  it('counts the confirmations that are withdrawn at once for the user, in all sessions', async () => {
    const test = await createTestApp({
      options: { rateLimits: { ...defaultRateLimits, confirmation: perMinute(1, 120_000, 2) } },
    })
    const { token, user } = await signIn(test)
    const initiateAndWithdraw = async (by: string) => {
      const { confirmationId } = await initiatePayment(test, by)
      return (await test.call('confirmations.withdraw', { confirmationId }, { token: by })).status
    }
    expect([await initiateAndWithdraw(token), await initiateAndWithdraw((await signIn(test, user)).token)]).toEqual([200, 200])
    const action = { actionType: 'payment_approval', actionPayload: aPayment } as const
    const { status, headers } = await test.call('confirmations.initiate', action, { token: (await signIn(test, user)).token })
    expect([status, headers.get('retry-after')]).toEqual([429, '120'])
  })

  it('allows ten views of an account page, which do not count as logins', async () => {
    const { token } = await signIn(test)
    const page = ['sessions.list', 'devices.list', 'passkeys.list'] as const
    for (let view = 0; view < 10; view += 1) {
      for (const name of page) expect((await test.call(name, {}, { token })).status).toBe(200)
    }
    const wrong = { currentPassword: 'a wrong password', newPassword: 'another password, long enough' }
    expect((await test.call('password.change', wrong, { token })).headers.get('ratelimit')).toBe('"burst";r=19;t=6')
  })

  it('allows polling a confirmation every two seconds for five minutes', async () => {
    const { token, deviceToken, confirmationId } = await withPendingPayment(test)
    for (let elapsed = 0; elapsed < 300; elapsed += 2) {
      const looked = await test.call('confirmations.status', { confirmationId }, { token })
      const listed = await test.call('confirmations.pending', {}, { token: deviceToken })
      expect([looked.status, listed.status, looked.headers.get('ratelimit')]).toEqual([200, 200, null])
      test.clock.advance(2000)
    }
    const { headers } = await test.call('confirmations.initiate', {}, { token })
    expect(headers.get('ratelimit')).toBe('"burst";r=49;t=3')
  })

  it('treats an IPv6 network, and all spellings of an address, as one client', async () => {
    for (let request = 0; request < 20; request += 1) await attempt(test, `2001:db8:1:2:${request.toString(16)}::1`)
    expect((await attempt(test, '2001:db8:1:2:ffff::')).status).toBe(429)
    expect((await attempt(test, '2001:db8:1:3::1')).status).toBe(401)
  })
})
