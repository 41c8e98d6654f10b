import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createTestCountersign } from '../../testing/create-test-countersign.ts'
import { createTestUser, signIn, signInNewDeviceUser, signInNewUser, testPassword } from '../../testing/sign-in.ts'
import { InvalidAccessToken } from '../authentication/errors.ts'
import { SessionNotFound } from './errors.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0'

describe('the own sessions of a user', () => {
  it('are listed newest first, with the client that opened each', async () => {
    const test = createTestCountersign()
    const user = await createTestUser(test)
    const login = (client: object) => test.countersign.auth.login({ email: user.email, password: testPassword, ...client })
    await login({})
    test.clock.advance(1)
    const { accessToken } = await login({ address: '203.0.113.7', userAgent: firefox })
    const caller = await test.countersign.auth.authenticate({ token: accessToken })
    const [newest, oldest, ...rest] = await test.countersign.sessions.listOwn({ caller })
    expect(rest).toStrictEqual([])
    expect(newest).toMatchObject({ current: true, address: '203.0.113.7', userAgent: firefox, kind: 'standard' })
    expect(oldest).toMatchObject({ current: false, address: null, userAgent: null })
    for (const hidden of ['refreshTokenId', 'previousRefreshTokenId', 'renewalKeyHash', 'openedFrom']) {
      expect(newest).not.toHaveProperty(hidden)
    }
  })

  it('show a hostile user agent cut to 255 characters, without invisible characters', async () => {
    const test = createTestCountersign()
    const user = await createTestUser(test)
    const hostile = `\u202Egnp.exe\n\u0000\uD800${'x'.repeat(100_000)}`
    await test.countersign.auth.login({ email: user.email, password: testPassword, userAgent: hostile })
    const { caller } = await signIn(test, user)
    const listed = (await test.countersign.sessions.listOwn({ caller })).find(({ userAgent }) => userAgent !== null)
    expect(listed?.userAgent).toHaveLength(255)
    expect(listed?.userAgent).toMatch(/^\uFFFDgnp\.exe\uFFFD\uFFFD\uFFFDx+$/)
  })

  it('are stored with an encrypted client, which opens in no other session', async () => {
    const test = createTestCountersign()
    const user = await createTestUser(test)
    await test.countersign.auth.login({ email: user.email, password: testPassword, address: '203.0.113.7', userAgent: firefox })
    const [session] = await test.storage.sessions.liveOfUser(user.id, test.clock.now())
    expect(JSON.stringify(session)).not.toMatch(/203\.0\.113|Firefox/)
    const copy = { ...session, id: randomUUID(), refreshTokenId: randomUUID() } as NonNullable<typeof session>
    await test.storage.sessions.open(copy)
    const listed = await test.countersign.sessions.list({ email: user.email })
    expect(listed.find(({ id }) => id === copy.id)).toMatchObject({ address: null, userAgent: null })
  })

  it('can be ended one by one', async () => {
    const test = createTestCountersign()
    const { web, mobile } = await signInNewDeviceUser(test)
    await test.countersign.sessions.endOwn({ caller: web.caller, sessionId: mobile.caller.sessionId })
    await expect(test.countersign.auth.authenticate({ token: mobile.tokens.accessToken })).rejects.toThrow(InvalidAccessToken)
    const again = test.countersign.sessions.endOwn({ caller: web.caller, sessionId: mobile.caller.sessionId })
    await expect(again).rejects.toThrow(SessionNotFound)
  })

  it('of another user are not found', async () => {
    const test = createTestCountersign()
    const [one, other] = [await signInNewUser(test), await signInNewUser(test)]
    for (const sessionId of [other.caller.sessionId, randomUUID()]) {
      const ending = test.countersign.sessions.endOwn({ caller: one.caller, sessionId })
      await expect(ending).rejects.toThrow(SessionNotFound)
    }
    await expect(test.countersign.auth.authenticate({ token: other.tokens.accessToken })).resolves.toBeDefined()
  })

  it('can be ended all but the current one', async () => {
    const test = createTestCountersign()
    const { user, web, mobile } = await signInNewDeviceUser(test)
    const other = await signInNewUser(test)
    const latest = await signIn(test, user)
    expect(await test.countersign.sessions.endOthers({ caller: latest.caller })).toBe(2)
    for (const { tokens } of [web, mobile]) {
      await expect(test.countersign.auth.authenticate({ token: tokens.accessToken })).rejects.toThrow(InvalidAccessToken)
    }
    for (const { tokens } of [latest, other]) {
      await expect(test.countersign.auth.authenticate({ token: tokens.accessToken })).resolves.toBeDefined()
    }
  })

  it('stay where the session of the request has ended', async () => {
    const test = createTestCountersign()
    const { web, mobile } = await signInNewDeviceUser(test)
    await test.countersign.sessions.revoke({ id: web.caller.sessionId })
    await expect(test.countersign.sessions.endOthers({ caller: web.caller })).rejects.toThrow(InvalidAccessToken)
    await expect(test.countersign.auth.authenticate({ token: mobile.tokens.accessToken })).resolves.toBeDefined()
  })
})
