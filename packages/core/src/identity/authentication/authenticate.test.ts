import { describe, expect, it } from 'vitest'
import { hours, minutes } from '../../shared/clock.ts'
import { createTestCountersign } from '../../testing/create-test-countersign.ts'
import { signInNewDeviceUser, signInNewUser } from '../../testing/sign-in.ts'
import { requireDevice, requirePermission } from './caller.ts'
import { InvalidAccessToken } from './errors.ts'

describe('an access token authenticates', () => {
  it('a user who logged in by password, without a device and with standard trust', async () => {
    const { caller, user } = await signInNewUser(createTestCountersign())
    expect(caller).toMatchObject({ userId: user.id, tokenUse: 'access', deviceId: null, trustLevel: 'standard' })
  })

  it('a user whom a device vouches for, with the device and high trust', async () => {
    const { mobile, device, user } = await signInNewDeviceUser(createTestCountersign())
    expect(mobile.caller).toMatchObject({
      userId: user.id,
      tokenUse: 'biometric_access',
      deviceId: device.id,
      trustLevel: 'high',
    })
  })

  it('with what the user may do now, whatever the token says', async () => {
    const test = createTestCountersign()
    const { countersign } = test
    const { user, tokens } = await signInNewUser(test, { permissions: ['project.read', 'project.delete'] })
    await countersign.users.revoke({ email: user.email, permissions: ['project.delete'] })
    await countersign.users.grant({ email: user.email, permissions: ['expense.*'] })
    const caller = await countersign.auth.authenticate({ token: tokens.accessToken })
    expect(caller.permissions).toStrictEqual(['expense.*', 'project.read'])
  })

  it('until 8 hours after the login, 15 minutes by a device, and not a millisecond longer', async () => {
    const test = createTestCountersign()
    const { countersign, clock } = test
    const { web, mobile } = await signInNewDeviceUser(test)
    clock.advance(minutes(15) - 1)
    await expect(countersign.auth.authenticate({ token: mobile.tokens.accessToken })).resolves.toBeDefined()
    clock.advance(1)
    await expect(countersign.auth.authenticate({ token: mobile.tokens.accessToken })).rejects.toThrow(InvalidAccessToken)
    clock.advance(hours(8) - minutes(15) - 1)
    await expect(countersign.auth.authenticate({ token: web.tokens.accessToken })).resolves.toBeDefined()
    clock.advance(1)
    await expect(countersign.auth.authenticate({ token: web.tokens.accessToken })).rejects.toThrow(InvalidAccessToken)
  })
})

describe('an access token authenticates nobody, always alike,', () => {
  const given = async () => {
    const test = createTestCountersign()
    const user = await signInNewDeviceUser(test)
    const expectRefused = async (...tokens: string[]) => {
      for (const token of tokens) {
        await expect(test.countersign.auth.authenticate({ token })).rejects.toStrictEqual(new InvalidAccessToken())
      }
    }
    return { ...user, ...test, expectRefused }
  }

  it('once its session has ended', async () => {
    const { countersign, web, mobile, expectRefused } = await given()
    await countersign.sessions.revoke({ id: web.caller.sessionId })
    await countersign.sessions.revoke({ id: mobile.caller.sessionId })
    await expectRefused(web.tokens.accessToken, mobile.tokens.accessToken)
  })

  it('once its user is disabled, also when they are enabled again', async () => {
    const { countersign, user, web, mobile, expectRefused } = await given()
    await countersign.users.disable({ email: user.email })
    await expectRefused(web.tokens.accessToken, mobile.tokens.accessToken)
    await countersign.users.enable({ email: user.email })
    await expectRefused(web.tokens.accessToken, mobile.tokens.accessToken)
  })

  it('once its user’s password is replaced', async () => {
    const { countersign, user, web, mobile, expectRefused } = await given()
    await countersign.users.setPassword({ email: user.email, password: 'a password of tomorrow' })
    await expectRefused(web.tokens.accessToken, mobile.tokens.accessToken)
  })

  it('once its device is removed, while the password’s session goes on', async () => {
    const { countersign, device, web, mobile, expectRefused } = await given()
    await countersign.devices.remove({ caller: web.caller, deviceId: device.id })
    await expectRefused(mobile.tokens.accessToken)
    await expect(countersign.auth.authenticate({ token: web.tokens.accessToken })).resolves.toStrictEqual(web.caller)
  })

  it('where it is a refresh token or a service token', async () => {
    const { countersign, web, mobile, expectRefused } = await given()
    const service = await countersign.serviceTokens.issue({ service: 'billing' })
    await expectRefused(web.tokens.refreshToken, mobile.tokens.refreshToken, service.token)
  })

  it('where its session is unknown to the database', async () => {
    const { web, jwtKeys } = await given()
    const elsewhere = createTestCountersign({ jwtKeys })
    await expect(elsewhere.countersign.auth.authenticate({ token: web.tokens.accessToken })).rejects.toThrow(InvalidAccessToken)
  })

  it('where its session belongs to another user', async () => {
    const { storage, web, jwtKeys } = await given()
    const elsewhere = createTestCountersign({ jwtKeys })
    await signInNewUser(elsewhere)
    const stranger = await signInNewUser(elsewhere)
    const session = await storage.sessions.byId(web.caller.sessionId)
    if (session === undefined) throw new Error('the session is there')
    await elsewhere.storage.sessions.open({ ...session, userId: stranger.user.id })
    await expect(elsewhere.countersign.auth.authenticate({ token: web.tokens.accessToken })).rejects.toThrow(InvalidAccessToken)
  })
})

describe('a caller', () => {
  it('may do what they were granted, by wildcard too, and nothing else', async () => {
    const { caller } = await signInNewUser(createTestCountersign(), { permissions: ['project.read', 'expense.*'] })
    expect(() => requirePermission(caller, 'project.read')).not.toThrow()
    expect(() => requirePermission(caller, 'expense.delete')).not.toThrow()
    expect(() => requirePermission(caller, 'project.delete')).toThrow('Insufficient permissions')
    expect(() => requirePermission(caller, 'expenses.read')).toThrow('Insufficient permissions')
  })

  it('has a device only where one vouches for them', async () => {
    const { web, mobile, device } = await signInNewDeviceUser(createTestCountersign())
    expect(requireDevice(mobile.caller)).toBe(device.id)
    expect(() => requireDevice(web.caller)).toThrow('Insufficient trust level')
    expect(() => requireDevice({ ...mobile.caller, trustLevel: 'standard' })).toThrow('Insufficient trust level')
    expect(() => requireDevice({ ...mobile.caller, deviceId: null })).toThrow('Insufficient trust level')
  })
})
