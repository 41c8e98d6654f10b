import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { claimsOf } from '../src/testing/claims-of.ts'
import { registerPasskey } from '../src/testing/passkeys.ts'
import { registerDevice } from '../src/testing/sign-in.ts'
import { createTestApp, type TestApp } from '../src/testing/test-app.ts'
import { type TestStorage, testStorages } from '../src/testing/test-storages.ts'

/** Sessions that a service opens for users whom it has signed in itself. In these tests, a thief has the token of the service. */

const MINUTE = 60_000

describe.each(testStorages)('POST /internal/sessions, on $name,', ({ open }) => {
  let opened: TestStorage
  let test: TestApp
  beforeAll(async () => {
    opened = await open()
    test = await createTestApp({ storage: opened.storage })
  })
  beforeEach(() => test.clock.advance(5 * MINUTE))
  afterAll(() => opened.remove())

  const tokenOf = async (scopes: readonly string[] = ['session.open'], within: readonly string[] = []) =>
    (await test.countersign.serviceTokens.issue({ service: 'billing', scopes, within })).token

  let people = 0
  const aUser = (permissions: readonly string[] = []) => {
    people += 1
    return test.countersign.users.create({ email: `person-${people}@example.test`, permissions })
  }

  const now = () => new Date(test.clock.now()).toISOString()
  const bodyOf = (user: object, more: object = {}) => ({ user, signedInAt: now(), method: 'oidc', ...more })
  const post = (token: string, user: object, more: object = {}) => test.call('sessions.open', bodyOf(user, more), { token })
  const accessTokenOf = async (user: object, more: object = {}) => {
    const { status, body } = await post(await tokenOf(), user, more)
    expect(status).toBe(200)
    return (body as { data: { accessToken: string } }).data.accessToken
  }
  /** Registers a phone. Returns whether it is trusted. */
  const enrol = async (token: string) =>
    (await registerDevice(test, token, { headers: { 'countersign-extended': '1' } })).device.trusted

  it('answers as a login does, and lists of sessions name the service that opened the session', async () => {
    const user = await aUser()
    const token = await tokenOf()
    const { status, body } = await post(token, { email: user.email }, { userVerified: true, address: '2001:db8::1' })
    expect(status).toBe(200)
    const { data } = body as { data: Record<string, string> }
    expect(Object.keys(data).sort()).toEqual(['accessToken', 'accessTokenExpiresAt', 'refreshToken', 'refreshTokenExpiresAt'])
    const { accessToken = '', refreshToken = '' } = data
    const claims = claimsOf(accessToken)
    expect(claims).toMatchObject({ id: user.id, auth_method: 'host', trust_level: 'standard', token_use: 'access' })
    const headers = { 'countersign-extended': '1' }
    const { sessions } = await test.ask('sessions.list', {}, { token: accessToken, headers })
    const hostSignIn = { method: 'oidc', signedInAt: now(), userVerified: true, openedBy: 'billing' }
    expect(sessions).toMatchObject([{ id: claims.session_id, authMethod: 'host', address: '2001:db8:0:0::/64', hostSignIn }])
    expect((await test.call('auth.refresh', { refreshToken })).status).toBe(200)
    test.clock.advance(1)
    const extended = await test.ask('sessions.open', bodyOf({ id: user.id }), {
      token,
      headers,
    })
    expect(extended.sessionId).toBe(claimsOf(extended.accessToken).session_id)
    const byService = await test.countersign.sessions.listAll({ openedBy: 'Billing', userId: user.id })
    expect(byService.items.map(({ id }) => id)).toEqual([extended.sessionId, claims.session_id])
    expect((await test.countersign.sessions.listAll({ openedBy: 'other' })).items).toEqual([])
  })

  it.each([[['session.*']], [['*.*']], [['session.open.more', 'session']], [['session.open:oidc']], [[]]])(
    'refuses a service token with the scopes %j',
    async (scopes) => {
      const user = await aUser()
      const { status, body } = await post(await tokenOf(scopes), { id: user.id })
      expect([status, body]).toMatchObject([403, { code: 'missing_scope' }])
      expect(await test.storage.sessions.ofUser(user.id)).toEqual([])
    },
  )

  it('refuses every token of a user', async () => {
    const user = await aUser(['*.*'])
    const { status } = await post(await accessTokenOf({ id: user.id }), { id: user.id })
    expect(status).toBe(401)
  })

  it.each([
    ['a sign-in that is a minute and a second ahead', { signedInAt: 61_000 }, 'signedInAt'],
    ['a sign-in that is more than 24 hours ago', { signedInAt: -24 * 60 * MINUTE - 1000 }, 'signedInAt'],
    ['no method', { method: null }, 'method'],
    ['an address that is none', { address: 'localhost' }, 'address'],
    ['a user with two names', { user: { id: 1, email: 'ada@example.test' } }, 'user'],
  ])('refuses %s, and names the member', async (_, given, member) => {
    const user = await aUser()
    const { signedInAt } = given as { signedInAt?: number }
    const more = signedInAt === undefined ? given : { signedInAt: new Date(test.clock.now() + signedInAt).toISOString() }
    const { status, body } = await post(await tokenOf(), { id: user.id }, more)
    expect([status, body]).toMatchObject([400, { details: { [member]: expect.any(String) } }])
  })

  it('lets a service open 100 sessions a minute', async () => {
    const token = await tokenOf()
    const statuses: number[] = []
    for (let time = 0; time < 101; time += 1) statuses.push((await post(token, { id: 4711 })).status)
    expect([new Set(statuses.slice(0, 100)), statuses[100]]).toEqual([new Set([404]), 429])
    test.clock.advance(MINUTE)
    expect((await post(token, { id: 4711 })).status).toBe(404)
  })

  describe('with a token that is bound to the tenant `acme`,', () => {
    it.each([
      ['of this tenant only', ['payment.approve@acme', 'invoice.read@acme'], 200],
      ['of this tenant and another one', ['payment.approve@acme', 'payment.approve@other'], 200],
      ['of another tenant', ['payment.approve@other'], 404],
      ['of a tenant with a similar name', ['payment.approve@acme.eu'], 404],
      ['of this tenant and one that holds everywhere', ['payment.approve@acme', 'project.read'], 200],
      ['of any name in this tenant', ['tenant.member@acme'], 200],
      ['of everything everywhere', ['*.*'], 404],
      ['of no kind', [], 404],
    ])('opens a session of a user with permissions %s: %j, %i', async (_, permissions, expected) => {
      const user = await aUser(permissions)
      const token = await tokenOf(['session.open'], ['acme'])
      const { status, body } = await post(token, { id: user.id })
      expect(status).toBe(expected)
      if (expected === 404) expect(body).toEqual((await post(token, { id: 4711 })).body)
    })

    it('gives the same answer for a locked, disabled or unknown user, also of its own tenant', async () => {
      const [foreign, own] = [await aUser(['a.b@other']), await aUser(['a.b@acme'])]
      const token = await tokenOf(['session.open'], ['acme'])
      const disabled = await aUser(['a.b@acme'])
      for (const { email } of [foreign, own]) await test.countersign.users.lock({ email })
      await test.countersign.users.disable({ email: disabled.email })
      const unknown = await post(token, { id: 4711 })
      expect(unknown.status).toBe(404)
      for (const { id } of [foreign, own, disabled]) expect((await post(token, { id })).body).toEqual(unknown.body)
    })

    it('opens no session for a user who leaves the tenant at the same time', async () => {
      const user = await aUser(['a.b@acme'])
      const { storage } = test
      let isFirst = true
      const racing: typeof storage = {
        ...storage,
        transaction: async (work) => {
          if (isFirst) {
            isFirst = false
            await test.countersign.users.revoke({ email: user.email, permissions: ['a.b@acme'] })
          }
          return storage.transaction(work)
        },
      }
      await tokenOf(['session.open'], ['acme'])
      const { countersign } = await createTestCountersign({ ...test, storage: racing })
      const service = { name: 'billing', scopes: ['session.open'], within: ['acme'] }
      const opening = countersign.sessions.openForService({ ...bodyOf({ id: user.id }), service })
      await expect(opening).rejects.toMatchObject({ code: 'user_not_found' })
      expect(await storage.sessions.ofUser(user.id)).toEqual([])
    })
  })

  describe('a stolen service token', () => {
    it('registers no trusted phone for a user who has one, whatever the request says of the user', async () => {
      const user = await aUser()
      expect(await enrol(await accessTokenOf({ id: user.id }))).toBe(true)
      expect(await enrol(await accessTokenOf({ id: user.id }, { userVerified: true }))).toBe(false)
    })

    it("registers no trusted phone for seven days after it has removed the user's phone", async () => {
      const user = await aUser()
      const token = await accessTokenOf({ id: user.id })
      const { device } = await registerDevice(test, token)
      await test.ask('devices.remove', { deviceId: device.id }, { token })
      expect(await enrol(await accessTokenOf({ id: user.id }, { userVerified: true }))).toBe(false)
      test.clock.advance(7 * 24 * 60 * MINUTE + 1)
      expect(await enrol(await accessTokenOf({ id: user.id }))).toBe(true)
    })

    it('registers no trusted phone for a user who has a password', async () => {
      const user = await test.countersign.users.create({ email: 'with-password@example.test', password: 'correct horse battery' })
      expect(await enrol(await accessTokenOf({ id: user.id }, { userVerified: true }))).toBe(false)
    })

    it('registers no trusted phone for a user with a trusted passkey, nor after it has removed the passkey', async () => {
      const user = await aUser()
      const token = await accessTokenOf({ id: user.id })
      const { id } = await registerPasskey(test, token)
      expect(await enrol(await accessTokenOf({ id: user.id }, { userVerified: true }))).toBe(false)
      await test.ask('passkeys.remove', { credentialId: id }, { token })
      const again = await accessTokenOf({ id: user.id }, { userVerified: true })
      expect(await enrol(again)).toBe(false)
    })
  })

  it("a stolen access token of a host's session registers no trusted phone ten minutes after the sign-in", async () => {
    const user = await aUser()
    const { sessions } = test.countersign
    const signedInAt = test.clock.now()
    const { accessToken, refreshToken } = await sessions.open({
      user: { id: user.id },
      signedInAt,
      method: 'oidc',
      userVerified: true,
    })
    expect(await enrol(accessToken)).toBe(true)
    expect(await enrol(accessToken)).toBe(true)
    test.clock.advance(10 * MINUTE + 1)
    expect(await enrol(accessToken)).toBe(false)
    const renewed = await test.ask('auth.refresh', { refreshToken })
    expect(await enrol(renewed.accessToken)).toBe(false)
    // A session that the host opens now does not make an old sign-in younger.
    const late = await sessions.open({ user: { id: user.id }, signedInAt, method: 'oidc', userVerified: true })
    expect(await enrol(late.accessToken)).toBe(false)
  })
})
