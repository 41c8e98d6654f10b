import { describe, expect, it, vi } from 'vitest'
import { hours, minutes, pass, withFakeDate } from '../testing/clocks.ts'
import { createBrowser, secret, startRenderingApp } from '../testing/rendering-app.ts'
import type { TestClient } from '../testing/test-client.ts'

withFakeDate()

const manyPermissions = (count: number) => Array.from({ length: count }, (_, index) => `area_${index}.approve`)

describe('a person who signs in to an app that renders on its server', () => {
  it('is shown on the next page, from a cookie that scripts cannot read', async () => {
    const app = await startRenderingApp()
    const { cookies } = await app.signIn()
    expect(cookies.filter((line) => !line.includes('=;')).map((line) => line.replace(/=[^;]+/, '=…'))).toEqual([
      expect.stringMatching(/^countersign=…; Path=\/; HttpOnly; SameSite=Lax; Expires=/),
    ])
    const { body } = await app.browser.visit('/user')
    expect(body).toMatchObject({ user: { user: { email: app.user.email } }, mustRenew: false })
    const content = [...app.browser.jar.values()].join()
    expect(Buffer.from(content, 'base64url').toString('latin1')).not.toContain('renewalKey')
    expect(content).not.toContain(Buffer.from('{"alg":"HS256"').toString('base64url').slice(0, 12))
  })

  it('is shown to Countersign as the browser, not as the app', async () => {
    const app = await startRenderingApp([], { address: '198.51.100.7' })
    await app.signIn()
    const sessions = await app.test.countersign.sessions.list({ email: app.user.email })
    expect(sessions).toMatchObject([{ userAgent: 'Test browser' }])
  })

  it('is signed out by the logout, which ends the session and deletes every cookie', async () => {
    const app = await startRenderingApp()
    await app.signIn()
    const copied = new Map(app.browser.jar)
    expect((await app.browser.visit('/logout', {})).status).toBe(200)
    expect(app.browser.jar.size).toBe(0)
    expect((await app.browser.visit('/user')).body).toMatchObject({ user: null })
    const thief = createBrowser(app.url)
    for (const [name, value] of copied) thief.jar.set(name, value)
    expect((await thief.visit('/user')).body).toMatchObject({ user: null })
    expect(await app.test.countersign.sessions.list({ email: app.user.email })).toEqual([])
  })

  it('with 200 permissions has a cookie in parts, each of at most 4096 bytes with its attributes', async () => {
    const app = await startRenderingApp(manyPermissions(200))
    const { cookies } = await app.signIn()
    const parts = cookies.filter((line) => !line.includes('=;'))
    expect(parts.map((line) => line.split('=')[0])).toEqual(['countersign-0', 'countersign-1', 'countersign-2'])
    expect(Math.max(...parts.map((line) => line.length))).toBeLessThanOrEqual(4096)
    expect((await app.browser.visit('/user')).body).toMatchObject({ user: { user: { email: app.user.email } } })
  })
})

describe('requests of one page with one cookie', () => {
  it('are one renewal in a process, and stay signed in when their answers arrive in reverse order', async () => {
    const app = await startRenderingApp()
    await app.signIn()
    // Each request that must renew reads a copy of what it would send. The answer waits until all five have.
    const copies = vi.spyOn(Request.prototype, 'clone')
    for (let round = 1; round <= 3; round += 1) {
      copies.mockClear()
      app.settings.beforeRenewal = () =>
        vi.waitFor(() => expect(copies.mock.calls.length).toBeGreaterThanOrEqual(5), { timeout: 10_000 })
      app.age()
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => app.browser.send('/user')))
      for (const { body } of answers) expect(body).toMatchObject({ user: { user: { email: app.user.email } } })
      for (const answer of answers.reverse()) answer.receive()
      expect(app.renewals()).toBe(round)
    }
    copies.mockRestore()
    expect(app.reused()).toEqual([])
  })

  it('get the same tokens where processes share nothing', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })
    const app = await startRenderingApp()
    await app.signIn()
    app.age()
    const answers = await Promise.all([1, 2, 3].map(() => app.browser.send('/user')))
    vi.unstubAllGlobals()
    expect(app.renewals()).toBe(3)
    for (const { body } of answers) expect(body).toMatchObject({ user: { user: { email: app.user.email } } })
    answers[1]?.receive()
    app.age()
    expect((await app.browser.visit('/user')).body).toMatchObject({ user: { user: { email: app.user.email } } })
    expect(app.reused()).toEqual([])
  })
})

describe('where no cookie can be set', () => {
  it.each(['/component', '/late'])('at %s, a session that is due is not renewed, and says so', async (page) => {
    const app = await startRenderingApp()
    await app.signIn()
    expect((await app.browser.visit(page)).body).toMatchObject({ user: { user: { email: app.user.email } }, mustRenew: false })
    app.age()
    for (let time = 0; time < 3; time += 1) {
      expect((await app.browser.visit(page)).body).toEqual({ user: null, mustRenew: true })
      pass(app as unknown as TestClient, minutes(2))
    }
    expect(app.renewals()).toBe(0)
    expect((await app.browser.visit('/user')).body).toMatchObject({ user: { user: { email: app.user.email } }, mustRenew: false })
    expect((await app.browser.visit(page)).body).toMatchObject({ user: { user: { email: app.user.email } }, mustRenew: false })
  })

  it('a login rejects, and leaves no session', async () => {
    const app = await startRenderingApp([], { setCookie: undefined })
    expect((await app.browser.visit('/login', app.login)).body).toMatchObject({ code: 'UNSUPPORTED' })
    expect(await app.test.countersign.sessions.list({ email: app.user.email })).toEqual([])
  })
})

describe('a cookie', () => {
  it('that was not received is accepted for a minute after its renewal', async () => {
    const app = await startRenderingApp()
    await app.signIn()
    app.age()
    await app.browser.send('/user')
    pass(app as unknown as TestClient, minutes(1))
    expect((await app.browser.visit('/user')).body).toMatchObject({ user: { user: { email: app.user.email } } })
    expect(app.reused()).toEqual([])
  })

  it('of an ended session is cleared at the next renewal', async () => {
    const app = await startRenderingApp()
    await app.signIn()
    await app.test.countersign.sessions.endAll({ user: { email: app.user.email } })
    expect((await app.browser.visit('/user')).body).toMatchObject({ user: null })
    expect(app.browser.jar.size).toBe(0)
  })

  it('that a single character was changed in counts as no cookie', async () => {
    const app = await startRenderingApp()
    await app.signIn()
    const value = app.browser.jar.get('countersign') ?? ''
    for (const at of [0, 20, value.length >> 1, value.length - 1]) {
      const other = value[at] === 'A' ? 'B' : 'A'
      app.browser.jar.set('countersign', value.slice(0, at) + other + value.slice(at + 1))
      expect((await app.browser.send('/user')).body).toMatchObject({ user: null })
    }
    expect(app.sent).toEqual([])
  })

  it('is opened by the second secret, and sealed by the first at its renewal', async () => {
    const app = await startRenderingApp()
    await app.signIn()
    const next = 'the next secret of this test, just as long'
    app.settings.secret = [next, secret]
    app.age()
    expect((await app.browser.visit('/user')).body).toMatchObject({ user: { user: { email: app.user.email } } })
    app.settings.secret = next
    expect((await app.browser.visit('/user')).body).toMatchObject({ user: { user: { email: app.user.email } } })
    app.settings.secret = secret
    expect((await app.browser.visit('/user')).body).toMatchObject({ user: null })
  })

  it('of another name does not open', async () => {
    const app = await startRenderingApp()
    await app.signIn()
    const other = await startRenderingApp([], { cookieName: 'shop', baseUrl: app.service.url })
    other.browser.jar.set('shop', app.browser.jar.get('countersign') ?? '')
    expect((await other.browser.visit('/user')).body).toMatchObject({ user: null })
  })

  it.each([-300, 300])('lasts as long as the refresh token, also if the clocks differ by %i hours', async (skew) => {
    const app = await startRenderingApp()
    vi.setSystemTime(app.test.clock.now() + hours(skew))
    const [cookie = ''] = (await app.signIn()).cookies
    const left = Date.parse(/Expires=([^;]+)/.exec(cookie)?.[1] ?? '') - Date.now()
    expect(left).toBeLessThanOrEqual(hours(72))
    expect(left).toBeGreaterThan(hours(71))
  })

  it('expires with its refresh token', async () => {
    const app = await startRenderingApp()
    await app.signIn()
    pass(app as unknown as TestClient, hours(73))
    expect((await app.browser.visit('/user')).body).toMatchObject({ user: null })
    expect(app.sent).toEqual([])
  })
})

describe('a request that changes something', () => {
  it.each([
    ['of a page of another origin', { origin: 'https://evil.example' }],
    ['of another port of the host', { origin: 'http://127.0.0.1:1' }],
    ['of a page without an origin', { origin: 'null' }],
    ['that a browser calls foreign', { 'sec-fetch-site': 'cross-site' }],
    ['of another app of the site', { 'sec-fetch-site': 'same-site' }],
  ])('%s has no session, and opens and ends none', async (_, headers) => {
    const app = await startRenderingApp()
    await app.signIn()
    expect((await app.browser.visit('/user', {}, headers)).body).toMatchObject({ user: null })
    const refused = await app.browser.visit('/login', app.login, headers)
    expect([refused.body.code, refused.cookies]).toEqual(['FORBIDDEN', []])
    expect((await app.browser.visit('/logout', {}, headers)).cookies).toEqual([])
    expect((await app.browser.visit('/user')).body).toMatchObject({ user: { user: { email: app.user.email } } })
  })

  it('of the own page is trusted behind a proxy that changes the host', async () => {
    const app = await startRenderingApp()
    await app.signIn()
    const headers = { origin: 'https://app.example.com', 'sec-fetch-site': 'same-origin' }
    expect((await app.browser.visit('/user', {}, headers)).body).toMatchObject({ user: { user: { email: app.user.email } } })
  })
})

it('an outage of Countersign is an error, and signs nobody out', async () => {
  const app = await startRenderingApp([], { retries: 0 })
  await app.signIn()
  await app.service.close(1000)
  const cookies = [...app.browser.jar]
  expect((await app.browser.visit('/user')).body).toMatchObject({ code: 'NETWORK_ERROR' })
  app.age()
  expect((await app.browser.visit('/user')).body).toMatchObject({ code: 'NETWORK_ERROR' })
  expect([...app.browser.jar]).toEqual(cookies)
  expect((await app.browser.visit('/logout', {})).body).toMatchObject({ code: 'LOGOUT_PENDING' })
  expect(app.browser.jar.size).toBe(0)
})
