import { describe, expect, it } from 'vitest'
import { createServerSession, type ServerSessionOptions } from './index.ts'

const secret = 'a secret of this test, and of nothing else'

/** Sets the tokens of a session with so many permissions, and returns the names of the cookies. */
const adopt = async (headers: Readonly<Record<string, string>>, permissions = 1, options: Partial<ServerSessionOptions> = {}) => {
  const set: { name: string; secure: boolean; value: string }[] = []
  const claims = {
    session_id: 's',
    id: 1,
    permissions: Array.from({ length: permissions }, (_, index) => `resource_${index}.read`),
  }
  const token = `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`
  const session = createServerSession({
    baseUrl: 'http://countersign.test',
    request: { headers, method: 'GET' },
    setCookie: (name, value, { secure }) => set.push({ name, secure, value }),
    secret,
    fetch: () => Response.json({ data: { success: true, message: '' } }),
    ...options,
  })
  const later = Date.now() + 60_000
  await session.client.adopt({
    accessToken: token,
    refreshToken: token,
    accessTokenExpiresAt: later,
    refreshTokenExpiresAt: later,
  })
  return { session, set: set.filter(({ value }) => value !== '').map(({ name, secure }) => [name, secure]) }
}

describe('the name of the cookie', () => {
  it.each([
    [{ host: 'app.example.com' }, '__Host-countersign', true],
    [{ host: 'localhost:3000' }, 'countersign', false],
    [{ host: 'shop.localhost' }, 'countersign', false],
    [{ host: '[::1]:3000' }, 'countersign', false],
    [{ host: 'localhost:3000', 'x-forwarded-proto': 'https' }, '__Host-countersign', true],
    [{ host: '127.0.0.1.example.com' }, '__Host-countersign', true],
    [{ host: 'localhost.example.com' }, '__Host-countersign', true],
    [{}, '__Host-countersign', true],
  ])('for %j is %s', async (headers, name, secure) => {
    expect((await adopt(headers)).set).toEqual([[name, secure]])
  })

  it('is that of the URL for a request without a host', async () => {
    expect((await adopt({}, 1, { request: new Request('http://localhost:5173/') })).set).toEqual([['countersign', false]])
    expect((await adopt({}, 1, { request: new Request('https://localhost/') })).set).toEqual([['__Host-countersign', true]])
    expect((await adopt({ ':authority': 'localhost:3000' })).set).toEqual([['countersign', false]])
  })

  it('follows the origin of the app behind a proxy that changes the host', async () => {
    const { set } = await adopt({ host: 'localhost:3000' }, 1, { origin: 'https://app.example.com', cookieName: 'shop' })
    expect(set).toEqual([['__Host-shop', true]])
  })
})

it('a session that fits in no four cookies is an error that names the number of permissions', async () => {
  await expect(adopt({}, 900)).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
    message: expect.stringContaining('900 permissions'),
  })
})

it('the headers for later code have the new cookie in place of the old one', async () => {
  const { session } = await adopt({ host: 'app.example.com', cookie: 'other=1; __Host-countersign=old', accept: 'text/html' })
  const headers = await session.renew()
  expect(headers.get('cookie')).toMatch(/^other=1; __Host-countersign=eyJ[\w.-]+$/)
  expect(headers.get('accept')).toBe('text/html')
})

it.each([
  ['a short secret', { secret: 'short' }],
  ['no secret', { secret: undefined }],
  ['three secrets', { secret: [secret, secret, secret] }],
  ['a short second secret', { secret: [secret, ''] }],
  ['a name that is no name of a cookie', { cookieName: 'a=b' }],
  ['an origin that is no URL', { origin: 'app.example.com' }],
  ['no URL of the service', { baseUrl: 'x' }],
])('%s is refused at once', (_, options) => {
  const given = { baseUrl: 'http://countersign.test', secret, request: { headers: {} }, ...options } as ServerSessionOptions
  expect(() => createServerSession(given)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }))
})
