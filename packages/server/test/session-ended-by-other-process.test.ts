import { registerTestDevice } from '@countersign/core/testing'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { expectWithinASecond } from '../../../tools/testing/within-a-second.ts'
import { type DeviceUser, deviceLogin, registerDevice, signIn, signInWithDevice } from '../src/testing/sign-in.ts'
import { createTestApp, type TestApp } from '../src/testing/test-app.ts'
import { sharedDatabases } from './shared-databases.ts'

/** A session that another process ends is refused here, although this process remembers the session. */

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

describe.each(sharedDatabases)('a token cached by this process, on $name,', ({ name, open }) => {
  let here: TestApp
  let elsewhere: TestCountersign
  let close: () => Promise<void>
  beforeAll(async () => {
    const { one: storage, other, ...opened } = await open()
    close = opened.close
    here = await createTestApp({ storage })
    elsewhere = await createTestCountersign({ ...here, storage: other })
  })
  afterAll(async () => {
    await close?.()
  })

  const ask = (token: string) => here.call('internal.verify', { serviceName: 'billing' }, { token })
  const statusOf = async (token: string) => (await ask(token)).status

  /** Asks repeatedly until the session is cached. */
  const warm = async (token: string): Promise<void> => {
    for (let time = 0; time < 20; time += 1) expect(await statusOf(token)).toBe(200)
  }

  const expectSoon = (isSo: () => Promise<boolean>): Promise<void> =>
    expectWithinASecond(async () => {
      await new Promise(setImmediate)
      const isKnown = await isSo()
      expect(isKnown || name === 'PostgreSQL', 'a SQLite database is asked at each request').toBe(true)
      return isKnown
    })
  const expectRefused = (token: string) => expectSoon(async () => (await statusOf(token)) === 401)

  const trustIs = (trustLevel: string, token: string) =>
    expectSoon(async () => {
      const { claims } = (await ask(token)).body as { claims: { trust_level: string } }
      return claims.trust_level === trustLevel
    })

  const given = async (): Promise<DeviceUser> => {
    // Past what those before used up of the limits of one address.
    here.clock.advance(5 * 60_000)
    const user = await signInWithDevice(here)
    for (const token of [user.token, user.deviceToken]) await warm(token)
    return user
  }

  it('is refused once the other process logs out, for that session only', async () => {
    const { token, deviceToken, tokens } = await given()
    const caller = await elsewhere.countersign.auth.authenticate({ token })
    await elsewhere.countersign.auth.logout({ caller, refreshToken: tokens.refreshToken })
    await expectRefused(token)
    expect(await statusOf(deviceToken)).toBe(200)
  })

  it('is refused once its refresh token is used twice', async () => {
    const { token, tokens } = await given()
    const { auth } = elsewhere.countersign
    await auth.refresh({ refreshToken: tokens.refreshToken })
    await expect(auth.refresh({ refreshToken: tokens.refreshToken })).rejects.toThrow()
    await expectRefused(token)
  })

  it('is refused once its device is removed', async () => {
    const { token, deviceToken, device } = await given()
    await elsewhere.countersign.devices.revoke({ id: device.id })
    await expectRefused(deviceToken)
    expect(await statusOf(token)).toBe(200)
  })

  it('is refused once the host ends all sessions of its user, and nothing of another user is', async () => {
    const { token, deviceToken, user } = await given()
    const stranger = await given()
    const named = { user: { id: user.id }, signedInAt: here.clock.now(), method: 'oidc' }
    const { accessToken } = await here.countersign.sessions.open(named)
    await warm(accessToken)
    expect(await elsewhere.countersign.sessions.endAll({ user: { email: user.email } })).toBe(3)
    await Promise.all([token, deviceToken, accessToken].map(expectRefused))
    for (const one of [stranger.token, stranger.deviceToken]) expect(await statusOf(one)).toBe(200)
  })

  it('is refused once its user is disabled, and stays refused after the user is enabled', async () => {
    const { token, deviceToken, user } = await given()
    await elsewhere.countersign.users.disable({ email: user.email })
    for (const one of [token, deviceToken]) await expectRefused(one)
    await elsewhere.countersign.users.enable({ email: user.email })
    await warm((await signIn(here, user)).token)
    for (const one of [token, deviceToken]) expect(await statusOf(one)).toBe(401)
  })

  it('is refused once its account is locked, and stays refused after the account is unlocked', async () => {
    const { token, deviceToken, user } = await given()
    await elsewhere.countersign.users.lock({ email: user.email })
    for (const one of [token, deviceToken]) await expectRefused(one)
    await elsewhere.countersign.users.unlock({ email: user.email })
    await warm((await signIn(here, user)).token)
    for (const one of [token, deviceToken]) expect(await statusOf(one)).toBe(401)
  })

  it('is refused once its user is deleted', async () => {
    const { token, deviceToken, user } = await given()
    await elsewhere.countersign.users.delete({ email: user.email })
    for (const one of [token, deviceToken]) await expectRefused(one)
  })

  it('is refused once its user sets a password by a code', async () => {
    const { token, deviceToken, user } = await given()
    const { code } = await elsewhere.countersign.users.resetPassword({ email: user.email })
    await elsewhere.countersign.password.setWithCode({ code, newPassword: 'another good password' })
    for (const one of [token, deviceToken]) await expectRefused(one)
  })

  it('is refused once its user has a new password', async () => {
    const { token, user } = await given()
    await elsewhere.countersign.users.setPassword({ email: user.email, password: 'another good password' })
    await expectRefused(token)
  })

  it('has the current permissions of its user', async () => {
    const { token, user } = await given()
    const permissionsAre = (permissions: readonly string[]) =>
      expectSoon(async () => {
        const { claims } = (await ask(token)).body as { claims: { permissions: readonly string[] } }
        return JSON.stringify(claims.permissions) === JSON.stringify(permissions)
      })
    await elsewhere.countersign.users.grant({ email: user.email, permissions: ['project.approve'] })
    await permissionsAre(['project.approve'])
    await warm(token)
    await elsewhere.countersign.users.revoke({ email: user.email, permissions: ['project.approve'] })
    await permissionsAre([])
  })

  it('has the current trust of its device', async () => {
    const { token, device } = await given()
    here.clock.advance(11 * 60_000)
    const added = await registerDevice(here, token)
    const { accessToken } = await deviceLogin(here, added)
    await warm(accessToken)
    await trustIs('standard', accessToken)
    await elsewhere.countersign.devices.trust({ id: added.device.id })
    await trustIs('high', accessToken)
    await warm(accessToken)
    await elsewhere.countersign.devices.revoke({ id: device.id })
    await elsewhere.countersign.devices.revoke({ id: added.device.id })
    await expectRefused(accessToken)
  })

  it('does not become trusted after a cooling-off period that the other process cancelled', async () => {
    here.clock.advance(5 * 60_000)
    const { token, user } = await signIn(here)
    here.clock.advance(11 * 60_000)
    const added = await registerDevice(here, token)
    const begun = await deviceLogin(here, added)
    await warm(begun.accessToken)
    const own = await signIn(here, user)
    const trusted = await registerTestDevice(elsewhere, await elsewhere.countersign.auth.authenticate({ token: own.token }))
    expect(trusted.device.trusted).toBe(true)
    here.clock.advance(12 * 3_600_000)
    const { tokens } = await here.ask('mobile.refresh', { refreshToken: begun.refreshToken })
    await trustIs('standard', tokens.accessToken)
  })

  it('is refused once it is revoked, if it is a service token', async () => {
    const { id, token } = await elsewhere.countersign.serviceTokens.issue({ service: 'billing' })
    await warm(token)
    await elsewhere.countersign.serviceTokens.revoke({ id })
    await expectRefused(token)
  })
})
