import { gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApprover } from '../approver.ts'
import { createTestApp } from '../testing/test-app.ts'

// Uses the page of the last build: `npm run build` creates it.

const host = {
  name: 'Example Bank',
  color: '#0a5c36',
  logoUrl: 'https://cdn.example.com/logo.png',
  logoDarkUrl: 'https://dark.example.com/logo.png',
  language: 'de',
  supportUrl: 'mailto:help@example.com',
  imprintUrl: 'https://example.com/imprint',
  privacyUrl: 'https://example.com/privacy',
  emptyInboxText: { en: 'All done.', de: 'Alles erledigt.' },
  lockedText: 'Call your branch.',
}
const vapidPublicKey = `B${'x'.repeat(86)}`
const files = ['/approve/', '/approve/approver.js', '/approve/style.css', '/approve/worker.js', '/approve/icon.svg']

const anApp = (settings = {}) => createTestApp({ app: { approver: createApprover(settings) } })
let test: Awaited<ReturnType<typeof createTestApp>>
beforeAll(async () => {
  test = await anApp()
})
const get = (path: string) => test.app.request(path)

describe('the page at /approve/', () => {
  it.each([
    ['/approve/', 'text/html; charset=utf-8'],
    ['/approve/approver.js', 'text/javascript; charset=utf-8'],
    ['/approve/worker.js', 'text/javascript; charset=utf-8'],
    ['/approve/style.css', 'text/css; charset=utf-8'],
    ['/approve/de.json', 'application/json'],
    ['/approve/ar.json', 'application/json'],
    ['/approve/icon.svg', 'image/svg+xml'],
    ['/approve/icon-512.png', 'image/png'],
    ['/approve/settings.json', 'application/json'],
    ['/approve/manifest.webmanifest', 'application/manifest+json'],
  ])('is served at %s as %s', async (path, contentType) => {
    const got = await get(path)
    expect([got.status, got.headers.get('content-type')]).toEqual([200, contentType])
    expect(await got.text()).not.toBe('')
  })

  it('is reached by a redirect from /approve, also below a prefix', async () => {
    const outer = new Hono().route('/auth', test.app)
    const answer = await outer.request('/auth/approve')
    expect([answer.status, new URL(answer.headers.get('location') ?? '', 'http://localhost/auth/approve').pathname]).toEqual([
      308,
      '/auth/approve/',
    ])
  })

  it('can load and call only its own origin, and never runs text as a script', async () => {
    for (const path of files)
      expect((await get(path)).headers.get('content-security-policy')?.split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types countersign-approver',
      ])
    const html = await (await get('/approve/')).text()
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=|https?:/)
  })

  it('shares no window and no file with other origins, and can use passkeys but neither camera nor microphone', async () => {
    for (const path of [...files, '/approve', '/approve/settings.json']) {
      const { headers } = await get(path)
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('permissions-policy')).toMatch(/camera=\(\).*microphone=\(\).*publickey-credentials-get=\(self\)/)
    }
  })

  it('is shown in frames of its own origin only if the host allows that', async () => {
    const headersOf = async ({ app }: typeof test) => {
      const { headers } = await app.request('/approve/')
      return [headers.get('x-frame-options'), /frame-ancestors [^;]*/.exec(headers.get('content-security-policy') ?? '')?.[0]]
    }
    expect(await headersOf(test)).toEqual(['DENY', "frame-ancestors 'none'"])
    expect(await headersOf(await anApp({ framed: true }))).toEqual(['SAMEORIGIN', "frame-ancestors 'self'"])
  })

  it.each(['de', 'fr', 'es', 'ar'])('loads at most 60 KB in gzip until the inbox shows in the language %s', async (language) => {
    const loaded = [...files, `/approve/${language}.json`, '/approve/settings.json', '/approve/manifest.webmanifest']
    const texts = await Promise.all(loaded.map(async (path) => (await get(path)).text()))
    const sizes = texts.map((text) => gzipSync(text, { level: 9 }).length)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(60 * 1024)
  })

  it('has the name, colour, logo and language of the host', async () => {
    const { app } = await anApp({
      ...host,
      vapidPublicKey,
      passkeyApprovals: true,
      forgot: true,
      verification: 'always',
      demoUser: { email: 'demo@example.test', password: 'known', name: 'Demo' },
    })
    expect(await (await app.request('/approve/settings.json')).json()).toEqual({
      ...host,
      vapidPublicKey,
      passkeyApprovals: true,
      forgot: true,
      verification: 'always',
      demoUser: { email: 'demo@example.test', password: 'known' },
    })
    expect(await (await app.request('/approve/manifest.webmanifest')).json()).toMatchObject({
      name: 'Example Bank',
      theme_color: '#0a5c36',
      lang: 'de',
      start_url: './',
      display: 'standalone',
      icons: [{ src: host.logoUrl }, { src: 'icon.svg' }, { purpose: 'any' }, { purpose: 'maskable' }],
    })
    const icon = Buffer.from(await (await app.request('/approve/icon-512.png')).arrayBuffer())
    expect([icon.toString('latin1', 1, 4), icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual(['PNG', 512, 512])
    const policy = (await app.request('/approve/')).headers.get('content-security-policy')
    expect(policy).toContain("img-src 'self' https://cdn.example.com https://dark.example.com;")
    expect(await (await get('/approve/settings.json')).json()).toEqual({
      name: 'Countersign',
      color: null,
      logoUrl: null,
      logoDarkUrl: null,
      language: null,
      supportUrl: null,
      imprintUrl: null,
      privacyUrl: null,
      emptyInboxText: null,
      lockedText: null,
      vapidPublicKey: null,
      passkeyApprovals: false,
      forgot: false,
      verification: 'never',
      demoUser: null,
    })
  })

  it.each([
    [{ color: 'green' }, 'color must be a colour such as #2748c7'],
    [{ name: '' }, 'name must be 1 to 64 characters'],
    [{ logoUrl: 'http://example.com/logo.png' }, /^logoUrl must be an https URL/],
    [{ logoDarkUrl: null }, /^logoDarkUrl must be an https URL/],
    [{ language: 'it' }, 'language must be one of en, de, fr, es, ar'],
    [{ supportUrl: 'javascript:alert(1)' }, 'supportUrl must be mailto: and an address, tel: and a number, or an https URL'],
    [{ imprintUrl: '/imprint' }, 'imprintUrl must be an https URL without user and password'],
    [{ emptyInboxText: { it: 'Niente' } }, /^emptyInboxText must be 1 to 300 characters, or a JSON object/],
    [{ lockedText: ['Call us'] }, /^lockedText must be 1 to 300 characters/],
    [{ passkeyApprovals: 'on' }, 'passkeyApprovals must be true or false'],
    [{ forgot: 'yes' }, 'forgot must be true or false'],
    [{ verification: 'sometimes' }, 'verification must be one of never, always'],
    [{ demoUser: 'ada' }, 'demoUser must be a user with email and password'],
    [{ colour: '#0a5c36' }, 'createApprover has no setting colour'],
  ])('is not made with the settings %j', (settings, message) => {
    expect(() => createApprover(settings as object)).toThrow(message)
  })

  it.each(['/approve/index.html', '/approve/nothing.js', '/approve/..%2Fapprover.js', '/Approve/'])(
    'does not exist at %s',
    async (path) => {
      expect((await get(path)).status).toBe(404)
    },
  )

  it('is not served if the host does not ask for it', async () => {
    const { send } = await createTestApp()
    for (const path of ['/approve', ...files]) expect((await send('GET', path)).status).toBe(404)
  })
})
