import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { days, seconds } from '../../shared/clock.ts'
import { NothingToChange } from '../../shared/errors.ts'
import { signIn, signInNewDeviceUser, signInNewUser } from '../../testing/sign-in.ts'
import { SessionNotFound } from '../authentication/errors.ts'

let test: TestCountersign
beforeEach(async () => {
  test = await createTestCountersign()
})

describe('the list of the sessions of a user', () => {
  it('shows how and when each session was opened and used, newest first, without its tokens', async () => {
    const { user, caller, tokens } = await signInNewUser(test)
    test.clock.advance(seconds(1))
    const second = await signIn(test, user)
    test.clock.advance(seconds(1))
    const { refreshTokenExpiresAt } = await test.countersign.auth.refresh({ refreshToken: tokens.refreshToken })
    const [newest, oldest, ...rest] = await test.countersign.sessions.list({ email: user.email })
    expect(rest).toStrictEqual([])
    expect(newest).toMatchObject({ id: second.caller.sessionId })
    expect(oldest).toStrictEqual({
      id: caller.sessionId,
      userId: user.id,
      address: null,
      userAgent: null,
      kind: 'standard',
      authMethod: 'password',
      deviceId: null,
      passkeyId: null,
      userVerified: false,
      host: null,
      tenants: null,
      rememberMe: false,
      createdAt: user.createdAt,
      lastUsedAt: test.clock.now(),
      rotatedAt: test.clock.now(),
      refreshExpiresAt: refreshTokenExpiresAt,
      endedAt: null,
      endReason: null,
    })
  })

  it('contains the device of a device login', async () => {
    const { user, device } = await signInNewDeviceUser(test)
    const sessions = await test.countersign.sessions.list({ email: user.email.toUpperCase() })
    expect(sessions).toContainEqual(expect.objectContaining({ kind: 'biometric', authMethod: 'biometric', deviceId: device.id }))
  })

  it('omits ended and expired sessions', async () => {
    const { user, caller } = await signInNewUser(test)
    await test.countersign.sessions.revoke({ id: caller.sessionId })
    const { tokens } = await signIn(test, user)
    test.clock.advance(days(3) - 1)
    expect(await test.countersign.sessions.list({ email: user.email })).toHaveLength(1)
    test.clock.set(tokens.refreshTokenExpiresAt)
    expect(await test.countersign.sessions.list({ email: user.email })).toStrictEqual([])
  })
})

describe('revoking a session', () => {
  it('ends the session: its tokens are refused immediately, other tokens are not', async () => {
    const { user, tokens, caller } = await signInNewUser(test)
    const other = await signIn(test, user)
    expect(await test.countersign.sessions.revoke({ id: caller.sessionId })).toMatchObject({
      id: caller.sessionId,
      endedAt: test.clock.now(),
      endReason: 'revoked',
    })
    await expect(test.countersign.auth.authenticate({ token: tokens.accessToken })).rejects.toThrow('Invalid or expired token')
    await expect(test.countersign.auth.refresh({ refreshToken: tokens.refreshToken })).rejects.toThrow('Invalid refresh token')
    await expect(test.countersign.auth.authenticate({ token: other.tokens.accessToken })).resolves.toBeDefined()
  })

  it('is refused if the session has ended, and changes nothing', async () => {
    const { caller, tokens } = await signInNewUser(test)
    await test.countersign.auth.logout({ caller, refreshToken: tokens.refreshToken })
    const endedAt = test.clock.now()
    test.clock.advance(seconds(5))
    await expect(test.countersign.sessions.revoke({ id: caller.sessionId })).rejects.toStrictEqual(
      new NothingToChange('The session has ended already'),
    )
    expect(await test.storage.sessions.byId(caller.sessionId)).toMatchObject({ endedAt, endReason: 'logout' })
  })

  it('fails for an unknown id', async () => {
    await expect(test.countersign.sessions.revoke({ id: '00000000-0000-4000-8000-000000000000' })).rejects.toStrictEqual(
      new SessionNotFound(),
    )
  })
})
