import { createHash } from 'node:crypto'
import { createTestCountersign, type TestCountersignOverrides } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { deviceThumbprint } from '../../identity/devices/device-signature.ts'
import { hours, minutes } from '../../shared/clock.ts'
import { givenTrustedPhone } from '../../testing/given-trusted-phone.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { registerTestPasskey, signInByPasskey } from '../../testing/passkeys.ts'
import { registerTestDevice, signIn, signInByDevice, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { ConfirmationUsed } from '../confirmations/errors.ts'

const insufficient = { code: 'insufficient_trust_level' }

/** Prepares a user with a trusted phone. The web session is too old to be fresh, and the session of the phone is new. */
const given = async (overrides: TestCountersignOverrides = {}) => {
  const test = await createTestCountersign(overrides)
  const { user, web, caller, ...phone } = await givenTrustedPhone(test)
  const { confirmations, devices } = test.countersign

  const approve = async (confirmationId: string, number: string | null) => {
    const matchNumber = number ?? expect.fail('no number was told')
    const waiting = (await confirmations.pending({ caller })).find(({ id }) => id === confirmationId)
    const signedChallenge = phone.signer.sign(waiting?.challenge ?? '')
    await confirmations.approve({ caller, confirmationId, deviceId: phone.device.id, signedChallenge, matchNumber })
  }
  const trustOf = async (id: string) => (await devices.list({ caller })).find((one) => one.id === id)?.trusted
  const register = async () => {
    const added = await registerTestDevice(test, web.caller)
    if (added.device.vouching === undefined) throw new Error('no vouching was started')
    return { ...added, ...added.device.vouching }
  }
  return { ...test, user, web, phone, caller, approve, trustOf, register }
}

let test: Awaited<ReturnType<typeof given>>
beforeEach(async () => {
  test = await given()
})

describe('vouching for a device', () => {
  it('asks the trusted devices by a confirmation that names the device, its key and the client', async () => {
    const { device, confirmationId, matchNumber } = await test.register()
    expect(matchNumber).toMatch(/^\d\d$/)
    const [waiting] = await test.countersign.confirmations.pending({ caller: test.caller })
    expect(waiting).toMatchObject({ id: confirmationId, actionType: 'device_register', numberMatching: true })
    expect(JSON.parse(waiting?.actionPayloadText ?? '')).toStrictEqual({
      deviceName: device.deviceName,
      deviceType: 'mobile',
      deviceId: device.id,
      keyThumbprint: deviceThumbprint(device),
      requestedFrom: { address: null, userAgent: null, at: new Date(test.clock.now()).toISOString() },
    })
    const { challenge, nonce = '', statementText = '' } = waiting ?? {}
    const hashed = Buffer.concat([Buffer.from('countersign.confirmation.v1\0'), Buffer.from(nonce, 'base64')])
    expect(createHash('sha512').update(hashed).update(statementText).digest('base64')).toBe(challenge)
    await test.background.drain()
    expect(test.push.sent.map(({ type }) => type)).toContain('confirmation.requested')
  })

  it('makes the device trusted when a trusted device approves with the right number', async () => {
    const { device, confirmationId, matchNumber } = await test.register()
    expect(await test.trustOf(device.id)).toBe(false)
    await test.approve(confirmationId, matchNumber)
    expect(await test.trustOf(device.id)).toBe(true)
    expect(await test.storage.devices.byId(device.id)).toMatchObject({ trustedAt: test.clock.now() })
  })

  it('is approved if the device became trusted meanwhile, and not if it was removed meanwhile', async () => {
    const [trusted, removed] = [await test.register(), await test.register()]
    const userId = test.user.id
    await test.storage.trust.makeTrusted({ userId, kind: 'device', id: trusted.device.id }, test.clock.now())
    await test.approve(trusted.confirmationId, trusted.matchNumber)
    await test.storage.devices.remove(userId, removed.device.id, test.clock.now())
    await expect(test.approve(removed.confirmationId, removed.matchNumber)).rejects.toThrow(ConfirmationUsed)
  })

  it('needs the number, and the second wrong number ends it without trust', async () => {
    const { device, confirmationId, matchNumber } = await test.register()
    const wrong = matchNumber === '00' ? '01' : '00'
    for (let time = 0; time < 2; time += 1) {
      await expect(test.approve(confirmationId, wrong)).rejects.toMatchObject({ code: 'wrong_match_number' })
    }
    await expect(test.countersign.confirmations.reject({ caller: test.caller, confirmationId })).rejects.toMatchObject({
      code: 'confirmation_used',
    })
    expect(await test.trustOf(device.id)).toBe(false)
  })

  it('cannot be decided by the device itself, nor by another device on probation', async () => {
    const added = await test.register()
    const { caller } = await signInByDevice(test, added)
    const { id, challenge } = (await test.storage.confirmations.pendingOfUser(caller.userId, test.clock.now()))[0] ?? {}
    const approval = {
      caller: { ...caller, trustLevel: 'high' as const },
      confirmationId: id ?? '',
      deviceId: added.device.id,
      signedChallenge: added.signer.sign(challenge ?? ''),
      matchNumber: added.matchNumber,
    }
    await expect(test.countersign.confirmations.approve(approval)).rejects.toMatchObject(insufficient)
    const rejection = { caller: { ...caller, trustLevel: 'high' as const }, confirmationId: id ?? '' }
    await expect(test.countersign.confirmations.reject(rejection)).rejects.toMatchObject(insufficient)
    expect(await test.trustOf(added.device.id)).toBe(false)
  })

  it('can be rejected by a trusted device only; this removes the device, and ends its sessions and the registering session', async () => {
    const { confirmationId, ...added } = await test.register()
    const stolen = await signInByDevice(test, added)
    const { reject } = test.countersign.confirmations
    for (const caller of [test.web.caller, stolen.caller]) {
      await expect(reject({ caller, confirmationId })).rejects.toMatchObject(insufficient)
    }
    expect(await test.trustOf(added.device.id)).toBe(false)
    await reject({ caller: test.caller, confirmationId })
    expect(await test.trustOf(added.device.id)).toBeUndefined()
    const statusOf = ({ caller }: { caller: { sessionId: string } }) => test.storage.sessions.status(caller.sessionId)
    expect([await statusOf(stolen), await statusOf(test.web)]).toStrictEqual([undefined, undefined])
    expect(await statusOf(test)).toBeDefined()
  })

  it('cannot be rejected by a session that ends during the call', async () => {
    const { confirmationId, device } = await test.register()
    await test.countersign.sessions.revoke({ id: test.caller.sessionId })
    const rejection = test.countersign.confirmations.reject({ caller: test.caller, confirmationId })
    await expect(rejection).rejects.toMatchObject({ code: 'invalid_access_token' })
    expect(await test.trustOf(device.id)).toBe(false)
  })

  it('has no effect if a caller initiated the confirmation itself', async () => {
    const { device } = await test.register()
    const actionPayload = { deviceName: device.deviceName, deviceType: 'mobile', deviceId: device.id }
    const own = await test.countersign.confirmations.initiate({
      caller: test.web.caller,
      actionType: 'device_register',
      actionPayload,
    })
    const signedChallenge = test.phone.signer.sign(own.challenge)
    const deviceId = test.phone.device.id
    await test.countersign.confirmations.approve({ caller: test.caller, confirmationId: own.id, deviceId, signedChallenge })
    expect(await test.trustOf(device.id)).toBe(false)
  })

  it('starts at most three times a day by registrations; later devices are registered on probation without a vouching', async () => {
    for (let time = 0; time < 3; time += 1) await test.register()
    const fourth = await registerTestDevice(test, test.web.caller)
    expect(fourth.device).not.toHaveProperty('vouching')
    test.clock.advance(hours(24) + 1)
    expect((await registerTestDevice(test, test.web.caller)).device.vouching).toBeDefined()
  })

  it('can start again after the session that used up the registrations of the day was ended', async () => {
    const mine = await signIn(test, test.user)
    test.clock.advance(minutes(11))
    for (let time = 0; time < 3; time += 1) await test.register()
    expect((await registerTestDevice(test, mine.caller)).device).not.toHaveProperty('vouching')
    await test.countersign.sessions.endOwn({ caller: mine.caller, sessionId: test.web.caller.sessionId })
    expect((await registerTestDevice(test, mine.caller)).device.vouching).toBeDefined()
  })

  it('starts although the limit of pending confirmations is reached', async () => {
    const test = await given({ options: { pendingConfirmationsPerUser: 1 } })
    await initiatePayment(test, test.web.caller)
    await test.register()
    await expect(initiatePayment(test, test.web.caller)).rejects.toMatchObject({ code: 'too_many_pending_confirmations' })
  })

  it('tells its number to nobody if a trusted phone registers the device, because that phone would type it', async () => {
    test.clock.advance(minutes(11))
    const added = await registerTestDevice(test, test.caller)
    expect(added.device.vouching).toStrictEqual({ confirmationId: expect.any(String), matchNumber: null })
    const { caller } = await signInByDevice(test, added)
    const read = await test.countersign.vouching.read({ caller, deviceId: added.device.id })
    expect(read.matchNumber).toMatch(/^\d\d$/)
  })

  it('does not start for a trusted device, nor if no device can vouch', async () => {
    const { caller } = await signIn(test, test.user)
    expect((await registerTestDevice(test, caller)).device).not.toHaveProperty('vouching')
    const alone = await createTestCountersign()
    const user = await signInNewDeviceUser(alone)
    alone.clock.advance(minutes(11))
    await alone.countersign.devices.remove({ caller: user.web.caller, deviceId: user.device.id })
    expect((await registerTestDevice(alone, user.web.caller)).device).not.toHaveProperty('vouching')
  })
})

describe('a vouching that starts again', () => {
  it('replaces the earlier one, at the request of a trusted device', async () => {
    const first = await test.register()
    test.clock.advance(minutes(1))
    const { restart } = test.countersign.vouching
    const deviceId = first.device.id
    const { caller: another } = await signIn(test, test.user)
    await expect(restart({ caller: another, deviceId })).rejects.toMatchObject(insufficient)
    const again = await restart({ caller: test.caller, deviceId })
    expect(again.expiresAt).toBe(test.clock.now() + minutes(5))
    const pending = await test.countersign.confirmations.pending({ caller: test.caller })
    expect(pending.map(({ id }) => id)).toStrictEqual([again.confirmationId])
    // The phone that types the number never learns it; the new device reads it.
    expect(again.matchNumber).toBeNull()
    const { matchNumber } = await test.countersign.vouching.read({ caller: test.web.caller, deviceId })
    await test.approve(again.confirmationId, matchNumber)
    expect(await test.trustOf(deviceId)).toBe(true)
    await expect(restart({ caller: test.caller, deviceId })).rejects.toMatchObject({ code: 'device_already_trusted' })
  })

  it('still ends the registering session when it is rejected', async () => {
    const { device } = await test.register()
    const again = await test.countersign.vouching.restart({ caller: test.caller, deviceId: device.id })
    await test.countersign.confirmations.reject({ caller: test.caller, confirmationId: again.confirmationId })
    expect(await test.storage.sessions.status(test.web.caller.sessionId)).toBeUndefined()
    expect(await test.trustOf(device.id)).toBeUndefined()
  })

  it('is refused for a device of another user, and for a removed device', async () => {
    const { device } = await test.register()
    const other = await signInNewDeviceUser(test)
    const { restart } = test.countersign.vouching
    await expect(restart({ caller: test.caller, deviceId: other.device.id })).rejects.toMatchObject({ code: 'device_not_found' })
    await test.countersign.devices.remove({ caller: test.caller, deviceId: device.id })
    await expect(restart({ caller: test.caller, deviceId: device.id })).rejects.toMatchObject({ code: 'device_not_found' })
  })
})

describe('vouching for a passkey', () => {
  it('makes the passkey trusted when a trusted device approves', async () => {
    const { passkey } = await registerTestPasskey(test, test.web.caller)
    const { confirmationId, matchNumber } = passkey.vouching ?? { confirmationId: '', matchNumber: '' }
    const [waiting] = await test.countersign.confirmations.pending({ caller: test.caller })
    expect(JSON.parse(waiting?.actionPayloadText ?? '')).toMatchObject({
      deviceName: passkey.name,
      deviceType: 'passkey',
      deviceId: passkey.id,
      keyThumbprint: expect.stringMatching(/^[\w-]{43}$/),
    })
    await test.approve(confirmationId, matchNumber)
    expect(await test.countersign.passkeys.list({ caller: test.caller })).toMatchObject([{ id: passkey.id, trusted: true }])
  })

  it('removes the passkey and ends its sessions when a trusted device rejects', async () => {
    const { passkey, virtual } = await registerTestPasskey(test, test.web.caller)
    const { caller } = await signInByPasskey(test, virtual)
    await test.countersign.confirmations.reject({ caller: test.caller, confirmationId: passkey.vouching?.confirmationId ?? '' })
    expect(await test.countersign.passkeys.list({ caller: test.caller })).toStrictEqual([])
    for (const { sessionId } of [caller, test.web.caller]) {
      expect(await test.storage.sessions.status(sessionId)).toBeUndefined()
    }
  })
})

describe('a vouching for a passkey that starts again', () => {
  const givenPasskey = async (name?: string) => {
    const { passkey } = await registerTestPasskey(test, test.web.caller, { ...(name !== undefined && { name }) })
    return {
      test,
      passkey,
      restart: () => test.countersign.vouching.restartOfPasskey({ caller: test.caller, credentialId: passkey.id }),
    }
  }

  it('replaces the earlier one, and makes the passkey trusted when a trusted device approves', async () => {
    const { test, passkey, restart } = await givenPasskey()
    const again = await restart()
    const pending = await test.countersign.confirmations.pending({ caller: test.caller })
    expect(pending.map(({ id }) => id)).toStrictEqual([again.confirmationId])
    expect(again.matchNumber).toBeNull()
    const asked = { caller: test.web.caller, credentialId: passkey.id }
    await test.approve(again.confirmationId, (await test.countersign.vouching.readOfPasskey(asked)).matchNumber)
    expect(await test.countersign.passkeys.list({ caller: test.caller })).toMatchObject([{ id: passkey.id, trusted: true }])
    await expect(restart()).rejects.toMatchObject({ code: 'passkey_already_trusted' })
  })

  it('shows the chosen name of the passkey and the thumbprint of its key on the device, as the first vouching did', async () => {
    const { test, restart } = await givenPasskey('The blue key')
    const payload = async () =>
      JSON.parse((await test.countersign.confirmations.pending({ caller: test.caller }))[0]?.actionPayloadText ?? '')
    const first = await payload()
    expect(first).toMatchObject({ deviceName: 'The blue key', deviceType: 'passkey' })
    await restart()
    expect(await payload()).toStrictEqual(first)
  })

  it('is refused for a session without a trusted device, for another user, and for a removed passkey', async () => {
    const { test, passkey, restart } = await givenPasskey()
    const { restartOfPasskey } = test.countersign.vouching
    const credentialId = passkey.id
    const { caller: another } = await signIn(test, test.user)
    await expect(restartOfPasskey({ caller: another, credentialId })).rejects.toMatchObject(insufficient)
    const other = await signInNewDeviceUser(test)
    await expect(restartOfPasskey({ caller: other.mobile.caller, credentialId })).rejects.toMatchObject({
      code: 'passkey_not_found',
    })
    await test.countersign.passkeys.remove({ caller: test.caller, credentialId })
    await expect(restart()).rejects.toMatchObject({ code: 'passkey_not_found' })
  })
})

describe('the removal of what waits for a vouching', () => {
  const idsOfPending = async ({ countersign, caller }: Awaited<ReturnType<typeof given>>) =>
    (await countersign.confirmations.pending({ caller })).map(({ id }) => id)

  it('rejects the vouching of a removed passkey, and no other confirmation', async () => {
    const payment = await initiatePayment(test, test.web.caller)
    const { passkey } = await registerTestPasskey(test, test.web.caller)
    expect(await idsOfPending(test)).toHaveLength(2)
    await test.countersign.passkeys.remove({ caller: test.web.caller, credentialId: passkey.id })
    expect(await idsOfPending(test)).toStrictEqual([payment.id])
  })

  it('rejects the vouching of a removed device', async () => {
    const { device } = await test.register()
    await test.countersign.devices.remove({ caller: test.web.caller, deviceId: device.id })
    expect(await idsOfPending(test)).toStrictEqual([])
  })

  it('rejects the vouching of a device that is removed to make room for a trusted one', async () => {
    const test = await given({ options: { devicesPerUser: 2 } })
    await test.register()
    const { caller } = await signIn(test, test.user)
    expect((await registerTestDevice(test, caller)).device.trusted).toBe(true)
    expect(await idsOfPending(test)).toStrictEqual([])
  })
})
