import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { decodeJwt } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { days } from '../../shared/clock.ts'
import { signInNewDeviceUser, signInNewUser } from '../../testing/sign-in.ts'
import { InvalidRefreshToken } from '../authentication/errors.ts'

const refreshWith = ({ countersign }: TestCountersign, refreshToken: string) => countersign.auth.refresh({ refreshToken })
const sessionOf = (token: string) => decodeJwt(token).session_id

describe('a refresh', () => {
  it('returns a new token pair of the same session, with a valid access token', async () => {
    const test = await createTestCountersign()
    const { tokens, caller } = await signInNewUser(test)
    const next = await refreshWith(test, tokens.refreshToken)
    expect(await test.countersign.auth.authenticate({ token: next.accessToken })).toStrictEqual(caller)
    expect(sessionOf(next.refreshToken)).toBe(caller.sessionId)
    expect(decodeJwt(next.refreshToken).jti).not.toBe(decodeJwt(tokens.refreshToken).jti)
    expect(decodeJwt(next.accessToken).jti).not.toBe(decodeJwt(tokens.accessToken).jti)
  })

  it('keeps the previous access token valid until it expires', async () => {
    const test = await createTestCountersign()
    const { tokens, caller } = await signInNewUser(test)
    await refreshWith(test, tokens.refreshToken)
    expect(await test.countersign.auth.authenticate({ token: tokens.accessToken })).toStrictEqual(caller)
  })

  it('can be repeated any number of times', async () => {
    const test = await createTestCountersign()
    let { refreshToken } = (await signInNewUser(test)).tokens
    const seen = new Set([refreshToken])
    for (let round = 0; round < 20; round += 1) {
      test.clock.advance(1000)
      refreshToken = (await refreshWith(test, refreshToken)).refreshToken
      seen.add(refreshToken)
    }
    expect(seen.size).toBe(21)
  })

  it('puts the current permissions of the user into the access token', async () => {
    const test = await createTestCountersign()
    const { user, tokens } = await signInNewUser(test, { permissions: ['project.read'] })
    await test.countersign.users.grant({ email: user.email, permissions: ['project.update'] })
    const { accessToken } = await refreshWith(test, tokens.refreshToken)
    expect(decodeJwt(accessToken)).toMatchObject({ permissions: ['project.read', 'project.update'] })
  })

  it('makes two calls to the storage: the status of the session, and its rotation', async () => {
    const test = await createTestCountersign()
    const { tokens } = await signInNewUser(test)
    const { sessions, users } = test.storage
    const reads = [vi.spyOn(sessions, 'byId'), vi.spyOn(users, 'byId'), vi.spyOn(users, 'byEmail')]
    const [status, rotate] = [vi.spyOn(sessions, 'status'), vi.spyOn(sessions, 'rotate')]
    await refreshWith(test, tokens.refreshToken)
    for (const read of reads) expect(read).not.toHaveBeenCalled()
    expect([status, rotate].map(({ mock }) => mock.calls.length)).toStrictEqual([1, 1])
  })

  it('of a device login returns tokens of a device login', async () => {
    const test = await createTestCountersign()
    const { mobile } = await signInNewDeviceUser(test)
    const next = await test.countersign.mobile.refresh({ refreshToken: mobile.tokens.refreshToken })
    expect(await test.countersign.auth.authenticate({ token: next.accessToken })).toStrictEqual(mobile.caller)
  })
})

describe('a refresh is refused with the same error', () => {
  const given = async () => {
    const test = await createTestCountersign()
    const { user, web, mobile } = await signInNewDeviceUser(test)
    const service = await test.countersign.serviceTokens.issue({ service: 'billing' })
    return { test, user, web, mobile, service, refused: new InvalidRefreshToken() }
  }

  it('of a session that the database does not know', async () => {
    const { test, web, refused } = await given()
    const elsewhere = await createTestCountersign({ jwtKeys: test.jwtKeys })
    await expect(refreshWith(elsewhere, web.tokens.refreshToken)).rejects.toStrictEqual(refused)
  })

  it('of a session that belongs to another user', async () => {
    const { test, web, refused } = await given()
    const elsewhere = await createTestCountersign({ jwtKeys: test.jwtKeys })
    const stranger = (await signInNewUser(elsewhere)).user
    const other = (await signInNewUser(elsewhere)).user
    const session = await test.storage.sessions.byId(web.caller.sessionId)
    if (session === undefined) throw new Error('the session is there')
    await elsewhere.storage.sessions.open({ ...session, userId: session.userId === other.id ? stranger.id : other.id })
    await expect(refreshWith(elsewhere, web.tokens.refreshToken)).rejects.toStrictEqual(refused)
  })

  it('of a disabled user whose session was not ended', async () => {
    const { test, user, web, refused } = await given()
    const { id, version } = (await test.storage.users.byEmail(user.email)) ?? expect.fail('the user is there')
    await test.storage.users.change(id, version, { disabledAt: test.clock.now() }, test.clock.now())
    await expect(refreshWith(test, web.tokens.refreshToken)).rejects.toStrictEqual(refused)
  })

  it('from the millisecond in which the token expires', async () => {
    const { test, web, refused } = await given()
    const other = await signInNewUser(test)
    test.clock.advance(days(3) - 1)
    await expect(refreshWith(test, web.tokens.refreshToken)).resolves.toBeDefined()
    test.clock.advance(1)
    await expect(refreshWith(test, other.tokens.refreshToken)).rejects.toStrictEqual(refused)
  })
})
