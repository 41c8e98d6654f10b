import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { days, hours, minutes } from '../../shared/clock.ts'
import { clockStart } from '../../testing/fake-clock.ts'
import { createTestUser, registerTestDevice, signInByDevice, signInNewUser, testPassword } from '../../testing/sign-in.ts'
import { InvalidAccessToken, InvalidRefreshToken } from '../authentication/errors.ts'

/**
 * Opens a session of this kind. Returns a function that refreshes after some time and returns the expiry in days from the
 * login, and a function that returns the newest access token.
 */
const givenSession = async (kind: 'standard' | 'biometric', rememberMe: boolean) => {
  const test = await createTestCountersign()
  const { countersign, clock } = test
  const user = await createTestUser(test)
  const open = async () => {
    if (kind === 'standard') return countersign.auth.login({ email: user.email, password: testPassword, rememberMe })
    const registered = await registerTestDevice(test, (await signInNewUser(test)).caller)
    return (await signInByDevice(test, registered, { rememberMe })).tokens
  }
  let { refreshToken, accessToken } = await open()
  const refreshAfter = async (milliseconds: number): Promise<number> => {
    clock.advance(milliseconds)
    const next = await (kind === 'standard'
      ? countersign.auth.refresh({ refreshToken })
      : countersign.mobile.refresh({ refreshToken }))
    ;({ refreshToken, accessToken } = next)
    return (next.refreshTokenExpiresAt - clockStart) / days(1)
  }
  return { test, refreshAfter, accessToken: () => accessToken }
}

describe('an access token', () => {
  it.each([
    ['standard', true],
    ['biometric', false],
  ] as const)('of a %s session expires no later than the session', async (kind, rememberMe) => {
    const { test, refreshAfter, accessToken } = await givenSession(kind, rememberMe)
    await refreshAfter(days(30) - minutes(1) - 1)
    const token = accessToken()
    expect(decodeJwt(token).exp).toBe((clockStart + days(30)) / 1000)
    test.clock.set(clockStart + days(30) - 1)
    const { userId } = await test.countersign.auth.authenticate({ token })
    expect(await test.storage.sessions.ofUser(userId, test.clock.now())).toHaveLength(1)
    test.clock.advance(1)
    await expect(test.countersign.auth.authenticate({ token })).rejects.toThrow(InvalidAccessToken)
  })
})

describe('the lifetime of a refresh token, in days from the login,', () => {
  it('extends by three with each rotation of a standard session, up to thirty', async () => {
    const { refreshAfter } = await givenSession('standard', false)
    const expiries: number[] = []
    for (let day = 2; day < 30; day += 2) expiries.push(await refreshAfter(days(2)))
    expect(expiries).toStrictEqual([5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 30])
    expect(await refreshAfter(days(2) - 1)).toBe(30)
    await expect(refreshAfter(1)).rejects.toThrow(InvalidRefreshToken)
  })

  it('ends after three days without a rotation', async () => {
    const { refreshAfter } = await givenSession('standard', false)
    await refreshAfter(hours(1))
    await expect(refreshAfter(days(3))).rejects.toThrow(InvalidRefreshToken)
  })

  it('is always thirty for a standard session with rememberMe', async () => {
    const { refreshAfter } = await givenSession('standard', true)
    expect(await refreshAfter(hours(1))).toBe(30)
    expect(await refreshAfter(days(20))).toBe(30)
    await expect(refreshAfter(days(10))).rejects.toThrow(InvalidRefreshToken)
  })

  it('restarts at thirty with each rotation of a biometric session with rememberMe', async () => {
    const { refreshAfter } = await givenSession('biometric', true)
    expect(await refreshAfter(days(29))).toBe(59)
    expect(await refreshAfter(days(29))).toBe(88)
    await expect(refreshAfter(days(30))).rejects.toThrow(InvalidRefreshToken)
  })

  it('is always thirty for a biometric session without rememberMe', async () => {
    const { refreshAfter } = await givenSession('biometric', false)
    expect(await refreshAfter(days(1))).toBe(30)
    expect(await refreshAfter(days(28))).toBe(30)
    await expect(refreshAfter(days(1))).rejects.toThrow(InvalidRefreshToken)
  })
})
