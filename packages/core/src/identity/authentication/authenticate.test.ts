import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { hours, minutes } from '../../shared/clock.ts'
import { signInNewDeviceUser, signInNewUser } from '../../testing/sign-in.ts'
import { requireDevice, requirePermission } from './caller.ts'
import { InvalidAccessToken } from './errors.ts'

describe('an access token', () => {
  it('of a password login gives standard trust and no device', async () => {
    const { caller, user } = await signInNewUser(await createTestCountersign())
    expect(caller).toMatchObject({
      userId: user.id,
      directoryId: null,
      tokenUse: 'access',
      deviceId: null,
      trustLevel: 'standard',
    })
  })

  it('of a device login gives high trust and the device', async () => {
    const { mobile, device, user } = await signInNewDeviceUser(await createTestCountersign())
    expect(mobile.caller).toMatchObject({
      userId: user.id,
      tokenUse: 'biometric_access',
      deviceId: device.id,
      trustLevel: 'high',
    })
  })

  it('gives the current permissions of the user, not those in the token', async () => {
    const test = await createTestCountersign()
    const { countersign } = test
    const { user, tokens } = await signInNewUser(test, { permissions: ['project.read', 'project.delete'] })
    await countersign.users.revoke({ email: user.email, permissions: ['project.delete'] })
    await countersign.users.grant({ email: user.email, permissions: ['expense.*'] })
    const caller = await countersign.auth.authenticate({ token: tokens.accessToken })
    expect(caller.permissions).toStrictEqual(['expense.*', 'project.read'])
  })

  it('is valid for 8 hours, or for 15 minutes after a device login, to the millisecond', async () => {
    const test = await createTestCountersign()
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

describe('an access token is refused with the same error', () => {
  const given = async () => {
    const test = await createTestCountersign()
    const user = await signInNewDeviceUser(test)
    const expectRefused = async (...tokens: string[]) => {
      for (const token of tokens) {
        await expect(test.countersign.auth.authenticate({ token })).rejects.toStrictEqual(new InvalidAccessToken())
      }
    }
    return { ...user, ...test, expectRefused }
  }

  it('if the database does not know its session', async () => {
    const { web, jwtKeys } = await given()
    const elsewhere = await createTestCountersign({ jwtKeys })
    await expect(elsewhere.countersign.auth.authenticate({ token: web.tokens.accessToken })).rejects.toThrow(InvalidAccessToken)
  })

  it('if its session belongs to another user', async () => {
    const { storage, web, jwtKeys } = await given()
    const elsewhere = await createTestCountersign({ jwtKeys })
    await signInNewUser(elsewhere)
    const stranger = await signInNewUser(elsewhere)
    const session = await storage.sessions.byId(web.caller.sessionId)
    if (session === undefined) throw new Error('the session is there')
    await elsewhere.storage.sessions.open({ ...session, userId: stranger.user.id })
    await expect(elsewhere.countersign.auth.authenticate({ token: web.tokens.accessToken })).rejects.toThrow(InvalidAccessToken)
  })
})

describe('a caller', () => {
  it('has exactly the granted permissions, wildcards included', async () => {
    const { caller } = await signInNewUser(await createTestCountersign(), { permissions: ['project.read', 'expense.*'] })
    expect(() => requirePermission(caller, 'project.read')).not.toThrow()
    expect(() => requirePermission(caller, 'expense.delete')).not.toThrow()
    expect(() => requirePermission(caller, 'project.delete')).toThrow('Insufficient permissions')
    expect(() => requirePermission(caller, 'expenses.read')).toThrow('Insufficient permissions')
  })

  it('has a device only after a device login', async () => {
    const { web, mobile, device } = await signInNewDeviceUser(await createTestCountersign())
    expect(requireDevice(mobile.caller)).toBe(device.id)
    expect(() => requireDevice(web.caller)).toThrow('Insufficient trust level')
    expect(() => requireDevice({ ...mobile.caller, trustLevel: 'standard' })).toThrow('Insufficient trust level')
    expect(() => requireDevice({ ...mobile.caller, deviceId: null })).toThrow('Insufficient trust level')
  })
})
