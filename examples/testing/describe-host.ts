import { expect, it } from 'vitest'

const email = 'ada@example.com'
const password = 'correct horse battery staple'

/** The user who must exist before a host is called. */
export const ada = { email, password }

/** Calls a host, over its socket or by its exported functions. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>

interface Sent extends RequestInit {
  readonly headers: Readonly<Record<string, string>>
}

export const postJson = (body: unknown): Sent => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

export const bearer = (token: string): Sent => ({ headers: { Authorization: `Bearer ${token}` } })

/** Logs in over HTTP. Resolves with the access token. */
export const logIn = async (send: Send, as = ada): Promise<string> => {
  const answer = await send('/api/v1/auth/login', postJson(as))
  expect(answer.status).toBe(200)
  const { data } = (await answer.json()) as { data: { accessToken: string } }
  return data.accessToken
}

/** Describes the behaviour of every host in any framework: the paths of Countersign, and the host's own paths. */
export const describeHost = (send: Send): void => {
  it('serves Countersign: its health, its errors, its headers', async () => {
    const health = await send('/health')
    expect(health.status).toBe(200)
    expect(await health.json()).toMatchObject({ status: 'healthy', version: '1.0.0' })
    const refused = await send('/api/v1/auth/devices')
    expect(refused.status).toBe(401)
    expect(refused.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(refused.headers.get('x-powered-by')).toBeNull()
  })

  it('passes each body unchanged to Countersign', async () => {
    const text = '{"email":"a@example.com","email":"b@example.com","password":"x"}'
    const twice = await send('/api/v1/auth/login', { ...postJson({}), body: text })
    expect(twice.status).toBe(400)
    const form = await send('/api/v1/auth/login', { method: 'POST', body: new URLSearchParams(ada) })
    expect(form.status).toBe(415)
    const large = await send('/api/v1/auth/login', postJson({ ...ada, password: 'x'.repeat(1_100_000) }))
    expect(large.status).toBe(413)
  })

  it('recognizes on its own routes who is signed in, and who has signed out', async () => {
    expect((await send('/hello')).status).toBe(401)
    expect((await send('/hello', bearer('not.a.token'))).status).toBe(401)
    const token = await logIn(send)
    const hello = await send('/hello', bearer(token))
    expect(hello.status).toBe(200)
    expect(await hello.json()).toStrictEqual({ message: `Hello, ${email}` })

    const { headers, ...logout } = postJson({ refreshToken: 'any' })
    const out = await send('/api/v1/auth/logout', { ...logout, headers: { ...headers, ...bearer(token).headers } })
    expect(out.status).toBe(200)
    expect((await send('/hello', bearer(token))).status).toBe(401)
  })

  it('verifies tokens for other services', async () => {
    const token = await logIn(send)
    const headers = { ...bearer(token).headers, 'X-Service-Name': 'billing' }
    const verified = await send('/internal/verify', { headers })
    expect(verified.status).toBe(200)
    expect(await verified.json()).toMatchObject({ valid: true, claims: { email } })
  })
}
