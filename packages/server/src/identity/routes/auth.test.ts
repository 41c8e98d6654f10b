import { createTestUser, signInNewUser, testPassword } from '@countersign/core/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { claimsOf } from '../../testing/claims-of.ts'
import { errorBodyOf } from '../../testing/error-body.ts'
import { deviceLogin, registerDevice, signIn } from '../../testing/sign-in.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let test: TestApp
beforeEach(async () => {
  test = await createTestApp()
})

describe('POST /api/v1/auth/login', () => {
  it('returns a token pair inside data, with its times', async () => {
    const { email } = await createTestUser(test)
    const { status, body } = await test.call('auth.login', { email, password: testPassword })
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        accessToken: expect.any(String),
        refreshToken: expect.any(String),
        accessTokenExpiresAt: '2026-01-05T17:00:00.000Z',
        refreshTokenExpiresAt: '2026-01-08T09:00:00.000Z',
      },
    })
  })

  it('returns tokens for thirty days with rememberMe', async () => {
    const { email } = await createTestUser(test)
    const { refreshTokenExpiresAt } = await test.ask('auth.login', { email, password: testPassword, rememberMe: true })
    expect(refreshTokenExpiresAt).toBe('2026-02-04T09:00:00.000Z')
  })

  it('names each missing or wrong field and what it accepts', async () => {
    const missing = await test.call('auth.login')
    const both = 'email: must be an email address; password: must be text of 1 to 1024 characters'
    expect([missing.status, missing.body]).toEqual([400, errorBodyOf(400, both)])
    const wrong = await test.call('auth.login', { email: 'a@example.test', password: 'x', rememberMe: 'yes' })
    expect(wrong.body).toEqual(errorBodyOf(400, 'rememberMe: must be true or false'))
  })

  it('answers a burst of 20 wrong passwords with 401 each, then makes the address wait', async () => {
    const { email } = await createTestUser(test)
    const login = (password: string, address?: string, more = {}) =>
      test.call('auth.login', { email, password, ...more }, address === undefined ? {} : { address })
    for (let attempt = 0; attempt < 20; attempt += 1) expect((await login('wrong password')).status).toBe(401)
    const refused = await login(testPassword)
    expect([refused.status, refused.body]).toEqual([
      429,
      { message: 'Rate limit exceeded', statusCode: 429, code: 'rate_limited' },
    ])
    // The rate limit of the category allows requests again, but the account still has to wait.
    test.clock.advance(12_000)
    const waiting = await login(testPassword)
    expect([waiting.status, waiting.headers.get('retry-after')]).toEqual([429, '18'])
    // The stream of a body does not contain the address of its sender.
    expect((await login(testPassword, undefined, { address: '198.51.100.99' })).status).toBe(429)
    test.clock.advance(18_000)
    expect((await login(testPassword)).status).toBe(200)
  })

  it('delays only the address that fails (for IPv6 the network), so that strangers lock nobody out', async () => {
    const { email } = await createTestUser(test)
    const login = (password: string, address: string) => test.call('auth.login', { email, password }, { address })
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect((await login('wrong password', `2001:db8:1:2::${attempt}`)).status).toBe(401)
    }
    test.clock.advance(12_000)
    expect((await login(testPassword, '2001:db8:1:2:ffff::1')).status).toBe(429)
    expect((await login(testPassword, '2001:db8:1:3::1')).status).toBe(200)
    expect((await login(testPassword, '198.51.100.99')).status).toBe(200)
  })

  it('counts a request for its address, even if the connection closed after the body', async () => {
    const peer: { address: string | undefined } = { address: '198.51.100.7' }
    const test = await createTestApp({ app: { socketAddress: () => peer.address } })
    const { email } = await createTestUser(test)
    for (let attempt = 0; attempt < 20; attempt += 1) await test.call('auth.login', { email, password: 'wrong password' })
    test.clock.advance(12_000)
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          peer.address = undefined
          controller.enqueue(new TextEncoder().encode(JSON.stringify({ email, password: testPassword })))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const { status } = await test.send('POST', '/api/v1/auth/login', { body, headers: { 'content-type': 'application/json' } })
    expect([peer.address, status]).toEqual([undefined, 429])
  })

  it('is still possible from an address from which a device of the account has logged in', async () => {
    const { email } = await createTestUser(test)
    const login = (password: string, address: string) => test.call('auth.login', { email, password }, { address })
    const { accessToken } = await test.ask('auth.login', { email, password: testPassword }, { address: '192.0.2.1' })
    await deviceLogin(test, await registerDevice(test, accessToken))
    for (let stranger = 0; stranger < 100; stranger += 1) {
      expect((await login('wrong password', `198.51.100.${stranger}`)).status).toBe(401)
    }
    const unknown = await login(testPassword, '198.51.100.200')
    expect([unknown.status, unknown.headers.get('retry-after')]).toEqual([429, '60'])
    expect((await login(testPassword, '203.0.113.1')).status).toBe(200)
  })
})

describe('POST /api/v1/auth/refresh', () => {
  it('returns the next token pair of the same session', async () => {
    const { tokens } = await signIn(test)
    const next = await test.ask('auth.refresh', { refreshToken: tokens.refreshToken })
    expect(claimsOf(next.accessToken).session_id).toBe(claimsOf(tokens.accessToken).session_id)
    expect(next.refreshToken).not.toBe(tokens.refreshToken)
  })
})

describe('POST /api/v1/auth/logout', () => {
  it('ends the session of the caller immediately', async () => {
    const { token, tokens } = await signIn(test)
    const { body } = await test.call('auth.logout', { refreshToken: tokens.refreshToken }, { token })
    expect(body).toEqual({ data: { success: true, message: 'Logged out' } })
    expect((await test.call('devices.list', {}, { token })).status).toBe(401)
    expect((await test.call('auth.refresh', { refreshToken: tokens.refreshToken })).status).toBe(401)
  })

  it('requires a bearer token and a body', async () => {
    const { tokens } = await signInNewUser(test)
    const anonymous = await test.call('auth.logout', { refreshToken: tokens.refreshToken })
    expect([anonymous.status, anonymous.body]).toEqual([
      401,
      { message: 'Authentication required', statusCode: 401, code: 'unauthenticated' },
    ])
    const empty = await test.send('POST', '/api/v1/auth/logout', { token: tokens.accessToken })
    expect([empty.status, empty.body]).toEqual([400, errorBodyOf(400, 'refreshToken: must be a token')])
  })
})

describe('GET /api/v1/auth/sessions', () => {
  it('returns a page, newest first, with the cursor of the next page', async () => {
    const test = await createTestApp({ options: { rateLimits: 'off' } })
    const { email } = await createTestUser(test)
    let token = ''
    for (let login = 0; login < 3; login += 1) {
      test.clock.advance(1000)
      token = (await test.ask('auth.login', { email, password: testPassword })).accessToken
    }
    const first = await test.ask('sessions.list', { limit: 2 }, { token })
    expect(first.sessions.map(({ current }) => current)).toEqual([true, false])
    const second = await test.ask('sessions.list', { limit: 2, cursor: first.nextCursor ?? '' }, { token })
    expect(second.nextCursor).toBeNull()
    const times = [...first.sessions, ...second.sessions].map(({ createdAt }) => createdAt)
    expect(times).toEqual(['2026-01-05T09:00:03.000Z', '2026-01-05T09:00:02.000Z', '2026-01-05T09:00:01.000Z'])
  })

  it.each([{ limit: 0 }, { limit: 101 }, { cursor: 'x' }])('refuses %j with 400, naming the field', async (query) => {
    const { tokens } = await signInNewUser(test)
    const { status, body } = await test.call('sessions.list', query, { token: tokens.accessToken })
    expect(status).toBe(400)
    expect(body).toMatchObject({ details: { [Object.keys(query)[0] ?? '']: expect.any(String) } })
  })
})
