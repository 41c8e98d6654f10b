import { randomUUID } from 'node:crypto'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it, vi } from 'vitest'
import { createTestUser, signIn, signInNewDeviceUser, signInNewUser, testPassword } from '../../testing/sign-in.ts'
import { InvalidAccessToken, SessionNotFound } from '../authentication/errors.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0'

describe('the own sessions of a user', () => {
  it('are listed newest first, with the client that opened each', async () => {
    const test = await createTestCountersign()
    const user = await createTestUser(test)
    const login = (client: object) => test.countersign.auth.login({ email: user.email, password: testPassword, ...client })
    await login({})
    test.clock.advance(1)
    const { accessToken } = await login({ address: '203.0.113.7', userAgent: firefox })
    const caller = await test.countersign.auth.authenticate({ token: accessToken })
    const { items, next } = await test.countersign.sessions.listOwn({ caller })
    const [newest, oldest, ...rest] = items
    expect({ rest, next }).toStrictEqual({ rest: [], next: null })
    expect(newest).toMatchObject({ current: true, address: '203.0.113.7', userAgent: firefox, kind: 'standard' })
    expect(oldest).toMatchObject({ current: false, address: null, userAgent: null })
    for (const hidden of ['refreshTokenId', 'previousRefreshTokenId', 'renewalKeyHash', 'openedFrom']) {
      expect(newest).not.toHaveProperty(hidden)
    }
  })

  it('are listed a page at a time, and only the fields of the page are decrypted', async () => {
    const test = await createTestCountersign()
    const user = await createTestUser(test)
    const ids: string[] = []
    for (let index = 0; index < 5; index += 1) {
      const { accessToken } = await test.countersign.auth.login({
        email: user.email,
        password: testPassword,
        address: '203.0.113.7',
      })
      ids.unshift((await test.countersign.auth.authenticate({ token: accessToken })).sessionId)
      test.clock.advance(1)
    }
    const caller = { userId: user.id, sessionId: ids[0] ?? '' }
    // Each decryption looks for its key.
    const opened = vi.spyOn(test.encryptionKeys.secrets, 'get')
    const pages: (readonly string[])[] = []
    let cursor: string | null = null
    do {
      opened.mockClear()
      const page = await test.countersign.sessions.listOwn({ caller, limit: 2, ...(cursor !== null && { cursor }) })
      expect(opened).toHaveBeenCalledTimes(page.items.length)
      pages.push(page.items.map(({ id }) => id))
      cursor = page.next
    } while (cursor !== null)
    expect(pages).toStrictEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
  })

  it('are not listed for an invalid cursor', async () => {
    const test = await createTestCountersign()
    const { caller } = await signInNewUser(test)
    for (const cursor of ['2', 'x/y', '2026-01-31/x']) {
      await expect(test.countersign.sessions.listOwn({ caller, cursor })).rejects.toMatchObject({
        fields: { cursor: 'must be the nextCursor of a page' },
      })
    }
  })

  it('are at most as many as the host allows: one more login ends the least recently used session', async () => {
    const test = await createTestCountersign({ options: { sessionsPerUser: 3 } })
    const { user, mobile } = await signInNewDeviceUser(test)
    const logins: Awaited<ReturnType<typeof signIn>>[] = []
    for (let index = 0; index < 4; index += 1) {
      test.clock.advance(1)
      logins.push(await signIn(test, user))
    }
    const [first, second, third, last] = logins
    for (const ended of [first, second]) {
      await expect(test.countersign.auth.authenticate({ token: ended?.tokens.accessToken ?? '' })).rejects.toThrow(
        InvalidAccessToken,
      )
    }
    for (const live of [third, last, mobile]) {
      await expect(test.countersign.auth.authenticate({ token: live?.tokens.accessToken ?? '' })).resolves.toBeDefined()
    }
  })

  it('show a hostile user agent cut to 255 characters, without invisible characters', async () => {
    const test = await createTestCountersign()
    const user = await createTestUser(test)
    const hostile = `\u202Egnp.exe\n\u0000\uD800${'x'.repeat(100_000)}`
    await test.countersign.auth.login({ email: user.email, password: testPassword, userAgent: hostile })
    const { caller } = await signIn(test, user)
    const listed = (await test.countersign.sessions.listOwn({ caller })).items.find(({ userAgent }) => userAgent !== null)
    expect(listed?.userAgent).toHaveLength(255)
    expect(listed?.userAgent).toMatch(/^\uFFFDgnp\.exe\uFFFD\uFFFD\uFFFDx+$/)
  })

  it('are stored with an encrypted client, which no other session can decrypt', async () => {
    const test = await createTestCountersign()
    const user = await createTestUser(test)
    await test.countersign.auth.login({ email: user.email, password: testPassword, address: '203.0.113.7', userAgent: firefox })
    const [session] = await test.storage.sessions.ofUser(user.id, test.clock.now())
    expect(JSON.stringify(session)).not.toMatch(/203\.0\.113|Firefox/)
    const copy = { ...session, id: randomUUID(), refreshTokenId: randomUUID() } as NonNullable<typeof session>
    await test.storage.sessions.open(copy)
    const listed = await test.countersign.sessions.list({ email: user.email })
    expect(listed.find(({ id }) => id === copy.id)).toMatchObject({ address: null, userAgent: null })
  })

  it('can be ended one by one', async () => {
    const test = await createTestCountersign()
    const { web, mobile } = await signInNewDeviceUser(test)
    await test.countersign.sessions.endOwn({ caller: web.caller, sessionId: mobile.caller.sessionId })
    await expect(test.countersign.auth.authenticate({ token: mobile.tokens.accessToken })).rejects.toThrow(InvalidAccessToken)
    const again = test.countersign.sessions.endOwn({ caller: web.caller, sessionId: mobile.caller.sessionId })
    await expect(again).rejects.toThrow(SessionNotFound)
  })

  it('of another user are not found', async () => {
    const test = await createTestCountersign()
    const [one, other] = [await signInNewUser(test), await signInNewUser(test)]
    for (const sessionId of [other.caller.sessionId, randomUUID()]) {
      const ending = test.countersign.sessions.endOwn({ caller: one.caller, sessionId })
      await expect(ending).rejects.toThrow(SessionNotFound)
    }
    await expect(test.countersign.auth.authenticate({ token: other.tokens.accessToken })).resolves.toBeDefined()
  })

  it('can all be ended except for the current one', async () => {
    const test = await createTestCountersign()
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

  it('stay if the session of the request has ended', async () => {
    const test = await createTestCountersign()
    const { web, mobile } = await signInNewDeviceUser(test)
    await test.countersign.sessions.revoke({ id: web.caller.sessionId })
    await expect(test.countersign.sessions.endOthers({ caller: web.caller })).rejects.toThrow(InvalidAccessToken)
    await expect(test.countersign.auth.authenticate({ token: mobile.tokens.accessToken })).resolves.toBeDefined()
  })
})
