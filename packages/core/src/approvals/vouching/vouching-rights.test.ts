import { createTestCountersign, type TestCountersignOverrides } from '@countersign/storage-sqlite/testing'
import { describe, expect, it, vi } from 'vitest'
import type { Caller } from '../../identity/authentication/caller.ts'
import { hours, minutes } from '../../shared/clock.ts'
import { givenTrustedPhone } from '../../testing/given-trusted-phone.ts'
import { registerTestPasskey, signInByPasskey, signInNewPasskeyUser } from '../../testing/passkeys.ts'
import { createTestUser, registerTestDevice, signInByDevice } from '../../testing/sign-in.ts'
import { givenService, signInDeviceUserByService } from '../../testing/sign-in-by-service.ts'

const insufficient = { code: 'insufficient_trust_level' }

/** A user with a trusted phone, and a web session that is too old to make a new device trusted. */
const given = async (overrides: TestCountersignOverrides = {}) => {
  const test = await createTestCountersign(overrides)
  const { user, web, caller, ...phone } = await givenTrustedPhone(test)
  const { confirmations, vouching } = test.countersign
  const register = () => registerTestDevice(test, web.caller)
  const trustedAt = async (id: string) => (await test.storage.devices.byId(id))?.trustedAt
  const approve = async (confirmationId: string, matchNumber: string | null, by: Caller = caller) => {
    const confirmation = await test.storage.confirmations.byId(confirmationId)
    const signedChallenge = phone.signer.sign(confirmation?.challenge ?? '')
    const approval = { confirmationId, deviceId: phone.device.id, signedChallenge, matchNumber: matchNumber ?? '' }
    await confirmations.approve({ caller: by, ...approval })
  }
  const isLive = async (one: Caller) => (await test.storage.sessions.status(one.sessionId)) !== undefined
  return { ...test, user, web, phone, caller, vouching, register, trustedAt, approve, isLive }
}

/** Registers a device whose vouching starts. */
const registerWaiting = async ({ register }: Awaited<ReturnType<typeof given>>) => {
  const added = await register()
  if (added.device.vouching === undefined) throw new Error('no vouching was started')
  return { ...added, ...added.device.vouching }
}

describe('a registration that started no vouching', () => {
  it('is read as such, can start a vouching later, and ends its session when that vouching is rejected', async () => {
    const test = await given()
    for (let time = 0; time < 3; time += 1) await registerWaiting(test)
    const { id: deviceId } = (await test.register()).device
    const none = { status: 'none', matchNumber: null, expiresAt: null, triesLeft: 3 }
    expect(await test.vouching.read({ caller: test.web.caller, deviceId })).toStrictEqual(none)
    const { confirmationId } = await test.vouching.restart({ caller: test.web.caller, deviceId })
    expect(await test.countersign.confirmations.reject({ caller: test.caller, confirmationId })).toStrictEqual({
      sessionEnded: true,
    })
    expect(await test.isLive(test.web.caller)).toBe(false)
  })

  it('is read as such by a phone that was trusted at once', async () => {
    const test = await given()
    const none = { status: 'none', matchNumber: null, expiresAt: null, triesLeft: 3 }
    expect(await test.vouching.read({ caller: test.caller, deviceId: test.phone.device.id })).toStrictEqual(none)
  })

  it('does not count among the three of a day that start one', async () => {
    const test = await given({ options: { devicesPerUser: 20 } })
    for (let time = 0; time < 3; time += 1) await registerWaiting(test)
    test.clock.advance(hours(12))
    expect((await test.register()).device).not.toHaveProperty('vouching')
    test.clock.advance(hours(12) + 1)
    for (let time = 0; time < 3; time += 1) await registerWaiting(test)
    expect((await test.register()).device).not.toHaveProperty('vouching')
  })
})

describe('a vouching that starts again', () => {
  it('notifies the trusted phone again', async () => {
    const test = await given()
    const { device } = await registerWaiting(test)
    await test.background.drain()
    test.clock.advance(minutes(1))
    const before = test.push.sent.length
    await test.vouching.restart({ caller: test.web.caller, deviceId: device.id })
    await test.background.drain()
    expect(test.push.sent.slice(before)).toMatchObject([{ deviceId: test.phone.device.id, type: 'confirmation.requested' }])
  })

  it('is refused after three times, with the time until a day after the first of them', async () => {
    const test = await given()
    const { device } = await registerWaiting(test)
    const restart = () => test.vouching.restart({ caller: test.web.caller, deviceId: device.id })
    for (let time = 0; time < 3; time += 1) {
      await restart()
      test.clock.advance(hours(1))
    }
    await expect(restart()).rejects.toMatchObject({ code: 'too_many_vouchings', retryAfterMs: hours(21) })
  })

  it('is refused in a session that has ended', async () => {
    const test = await given()
    const { device } = await registerWaiting(test)
    await test.countersign.sessions.revoke({ id: test.web.caller.sessionId })
    await expect(test.vouching.restart({ caller: test.web.caller, deviceId: device.id })).rejects.toMatchObject({
      code: 'invalid_access_token',
    })
  })

  it('is refused for another device on probation, also if the host passes its caller as trusted', async () => {
    const test = await given()
    const { device } = await registerWaiting(test)
    const { caller } = await signInByDevice(test, await registerWaiting(test))
    for (const by of [caller, { ...caller, trustLevel: 'high' as const }]) {
      await expect(test.vouching.restart({ caller: by, deviceId: device.id })).rejects.toMatchObject(insufficient)
    }
  })

  it('is refused for the session of a trusted passkey while passkeys do not approve', async () => {
    const test = await given()
    const { virtual, passkey } = await registerTestPasskey(test, test.web.caller)
    await test.countersign.passkeys.trust({ id: passkey.id })
    const { device } = await registerWaiting(test)
    const { caller } = await signInByPasskey(test, virtual)
    await expect(test.vouching.restart({ caller, deviceId: device.id })).rejects.toMatchObject(insufficient)
  })
})

describe('the decision about a vouching', () => {
  it('makes nothing trusted if the session that approves has ended', async () => {
    const test = await given()
    const { device, confirmationId, matchNumber } = await registerWaiting(test)
    await test.countersign.sessions.revoke({ id: test.caller.sessionId })
    await expect(test.approve(confirmationId, matchNumber)).rejects.toMatchObject({ code: 'invalid_access_token' })
    expect(await test.trustedAt(device.id)).toBeNull()
  })

  it('changes nothing by a rejection if an approval comes in the moment before', async () => {
    const test = await given()
    const { device, confirmationId, matchNumber } = await registerWaiting(test)
    const { transaction } = test.storage
    vi.spyOn(test.storage, 'transaction').mockImplementationOnce(async (use) => {
      await test.approve(confirmationId, matchNumber)
      return transaction(use)
    })
    const rejection = test.countersign.confirmations.reject({ caller: test.caller, confirmationId })
    await expect(rejection).rejects.toMatchObject({ code: 'confirmation_used' })
    expect(await test.trustedAt(device.id)).toBe(test.clock.now())
    expect(await test.isLive(test.web.caller)).toBe(true)
  })

  it('is refused to a caller whose device is unknown', async () => {
    const test = await given()
    const { device, confirmationId } = await registerWaiting(test)
    const caller = { ...test.caller, deviceId: 'unknown' }
    await expect(test.countersign.confirmations.reject({ caller, confirmationId })).rejects.toMatchObject({
      code: 'invalid_access_token',
    })
    expect(await test.trustedAt(device.id)).toBeNull()
  })

  it('ends no session by a rejection if no registration started the vouching', async () => {
    const test = await createTestCountersign()
    const user = await createTestUser(test, { permissions: ['tenant.member@acme'], password: undefined })
    const bound = await signInDeviceUserByService(test, await givenService(test, 'acme-app', 'acme'), user)
    const opened = await test.countersign.sessions.open({ user: { id: user.id }, signedInAt: test.clock.now(), method: 'test' })
    const own = await registerTestDevice(test, await test.countersign.auth.authenticate({ token: opened.accessToken }))
    const { caller } = await signInByDevice(test, own)
    const { confirmationId } = await test.countersign.vouching.restart({ caller, deviceId: bound.device.id })
    expect(await test.countersign.confirmations.reject({ caller, confirmationId })).toStrictEqual({ sessionEnded: false })
    expect(await test.storage.devices.ofUser(user.id, bound.device.id)).toBeUndefined()
  })
})

describe('the number of a vouching', () => {
  it.each([
    ['is hidden from a session of a trusted passkey, which could approve', true, null],
    ['is returned to a session of a passkey that did not verify its user', false, expect.stringMatching(/^\d\d$/)],
  ])('%s', async (_, userVerified, matchNumber) => {
    const test = await createTestCountersign({ options: { passkeyApprovals: true } })
    const { virtual } = await signInNewPasskeyUser(test)
    const { caller } = await signInByPasskey(test, virtual, { changes: { flags: { userVerified } } })
    test.clock.advance(minutes(11))
    const { device } = await registerTestDevice(test, caller)
    expect(device.vouching).toStrictEqual({ confirmationId: expect.any(String), matchNumber })
  })
})
