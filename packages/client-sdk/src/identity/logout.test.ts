import { afterEach, describe, expect, it, vi } from 'vitest'
import { asyncTokenStore } from '../session/async-token-store.ts'
import { hours, pass, withFakeDate } from '../testing/clocks.ts'
import { broken, createTestClient, type Fault, logInNewUser } from '../testing/test-client.ts'

withFakeDate()
afterEach(() => vi.unstubAllGlobals())

const refusing =
  (status: number, headers: Record<string, string> = {}): Fault =>
  () =>
    Response.json({ message: 'not now', statusCode: status }, { status, headers })

/** A client on a phone, whose storage outlives the client. */
const given = async () => {
  const texts = new Map<string, string>()
  const storage = {
    getItem: async (key: string) => texts.get(key) ?? null,
    setItem: async (key: string, value: string) => void texts.set(key, value),
    removeItem: async (key: string) => void texts.delete(key),
  }
  const all = await createTestClient({ store: asyncTokenStore(storage) })
  const { user, tokens } = await logInNewUser(all)
  const live = async () => (await all.test.countersign.sessions.list({ email: user.email })).length
  const restarted = () => all.another({ store: asyncTokenStore(storage) })
  return { ...all, user, tokens, texts, live, restarted }
}

describe('a logout that the service does not answer', () => {
  it.each([
    ['without a network', broken, 'NETWORK_ERROR'],
    ['at a rate limit', refusing(429), 'RATE_LIMITED'],
    ['in an outage', refusing(503), 'UNAVAILABLE'],
  ])('%s signs out, says that the session could not be ended, and ends it after the next start', async (_, fault, code) => {
    const { client, faults, live, restarted, texts } = await given()
    faults.push(fault)
    await expect(client.auth.logout()).rejects.toMatchObject({ code: 'LOGOUT_PENDING', cause: { code } })
    expect(await client.accessToken()).toBeUndefined()
    expect(await live()).toBe(1)
    const next = restarted()
    expect(await next.accessToken()).toBeUndefined()
    await expect.poll(live).toBe(0)
    await expect.poll(() => texts.size).toBe(0)
  })

  it('is tried again by the next logout', async () => {
    const { client, faults, live } = await given()
    faults.push(broken, broken)
    await expect(client.auth.logout()).rejects.toMatchObject({ code: 'LOGOUT_PENDING' })
    await expect(client.auth.logout()).rejects.toMatchObject({ code: 'LOGOUT_PENDING' })
    expect(await client.auth.logout()).toMatchObject({ success: true })
    expect(await live()).toBe(0)
  })

  it('is tried again when the network is back', async () => {
    const online: (() => void)[] = []
    vi.stubGlobal('addEventListener', (name: string, listener: () => void) => name === 'online' && online.push(listener))
    const { client, faults, live } = await given()
    faults.push(broken)
    await expect(client.auth.logout()).rejects.toMatchObject({ code: 'LOGOUT_PENDING' })
    for (const listener of online) listener()
    await expect.poll(live).toBe(0)
  })

  it('still ends the session after the access token has expired', async () => {
    const all = await given()
    all.faults.push(broken)
    await expect(all.client.auth.logout()).rejects.toMatchObject({ code: 'LOGOUT_PENDING' })
    pass(all, hours(9))
    all.restarted()
    await expect.poll(() => all.live()).toBe(0)
  })

  it('is not tried again after the refresh token has expired', async () => {
    const all = await given()
    all.faults.push(broken)
    await expect(all.client.auth.logout()).rejects.toMatchObject({ code: 'LOGOUT_PENDING' })
    pass(all, hours(24 * 3))
    all.faults.push(broken)
    all.restarted()
    await expect.poll(() => all.texts.size).toBe(0)
  })

  it('leaves stored tokens that sign nobody in', async () => {
    const { client, faults, restarted, texts, tokens, sent } = await given()
    faults.push(broken, broken)
    await expect(client.auth.logout()).rejects.toMatchObject({ code: 'LOGOUT_PENDING' })
    expect([...texts.keys()]).toEqual(['countersign.endings'])
    expect(texts.get('countersign.endings')).toContain(tokens.refreshToken)
    const next = restarted()
    await expect(next.devices.list()).rejects.toMatchObject({ code: 'SESSION_ENDED' })
    expect(sent).not.toContain('POST /api/v1/auth/refresh')
  })

  it('rejects with the reason of the caller’s signal, and is tried again later', async () => {
    const { client, faults, live, restarted } = await given()
    const controller = new AbortController()
    faults.push(() => {
      controller.abort(new Error('left'))
      return new Promise(() => {})
    })
    await expect(client.auth.logout({}, { signal: controller.signal })).rejects.toThrow('left')
    restarted()
    await expect.poll(live).toBe(0)
  })
})

describe('a login that cannot be kept', () => {
  it('leaves no session on the service', async () => {
    const store = { get: () => undefined, set: () => Promise.reject(new Error('full')), remove: () => {} }
    const all = await createTestClient({ store })
    await expect(logInNewUser(all)).rejects.toThrow('full')
    expect(all.sent).toEqual(['POST /api/v1/auth/login', 'POST /api/v1/auth/logout'])
  })
})
