import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { days } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { signIn, signInNewDeviceUser, signInNewUser } from '../../testing/sign-in.ts'

/** Returns the ids of the live sessions of a user. */
const liveSessions = async ({ countersign }: TestCountersign, email: string) =>
  (await countersign.sessions.list({ email })).map(({ id }) => id)

describe('a logout', () => {
  it('ends the session of the caller: access and refresh token are refused immediately', async () => {
    const test = await createTestCountersign()
    const { countersign } = test
    const { caller, tokens } = await signInNewUser(test)
    await countersign.auth.logout({ caller, refreshToken: tokens.refreshToken })
    await expect(countersign.auth.authenticate({ token: tokens.accessToken })).rejects.toThrow('Invalid or expired token')
    await expect(countersign.auth.refresh({ refreshToken: tokens.refreshToken })).rejects.toThrow('Invalid refresh token')
    expect(await test.storage.sessions.byId(caller.sessionId)).toMatchObject({ endReason: 'logout', endedAt: test.clock.now() })
  })

  it('ends the session of a spent refresh token', async () => {
    const test = await createTestCountersign()
    const { user, caller, tokens } = await signInNewUser(test)
    await test.countersign.auth.refresh({ refreshToken: tokens.refreshToken })
    await test.countersign.auth.logout({ caller, refreshToken: tokens.refreshToken })
    expect(await liveSessions(test, user.email)).toStrictEqual([])
  })

  it('gives the same response for an expired, unknown or malformed refresh token', async () => {
    const test = await createTestCountersign()
    const { user, tokens: old } = await signInNewUser(test)
    test.clock.advance(days(4))
    for (const refreshToken of [old.refreshToken, old.accessToken, 'no token', 'a.b.c']) {
      const { caller } = await signIn(test, user)
      await expect(test.countersign.auth.logout({ caller, refreshToken })).resolves.toBeUndefined()
      expect(await liveSessions(test, user.email)).toStrictEqual([])
    }
  })

  it('gives the same response a second time', async () => {
    const test = await createTestCountersign()
    const { caller, tokens } = await signInNewUser(test)
    await test.countersign.auth.logout({ caller, refreshToken: tokens.refreshToken })
    await expect(test.countersign.auth.logout({ caller, refreshToken: tokens.refreshToken })).resolves.toBeUndefined()
  })

  it('keeps the other sessions of the user', async () => {
    const test = await createTestCountersign()
    const { user, web, mobile } = await signInNewDeviceUser(test)
    await test.countersign.auth.logout({ caller: web.caller, refreshToken: web.tokens.refreshToken })
    expect(await liveSessions(test, user.email)).toStrictEqual([mobile.caller.sessionId])
  })

  it('refuses a missing refresh token, names the field, and ends no session', async () => {
    const test = await createTestCountersign()
    const { caller, user } = await signInNewUser(test)
    await expect(test.countersign.auth.logout({ caller, refreshToken: '' })).rejects.toThrow(
      new Invalid({ refreshToken: 'must be a token' }),
    )
    expect(await liveSessions(test, user.email)).toHaveLength(1)
  })
})
