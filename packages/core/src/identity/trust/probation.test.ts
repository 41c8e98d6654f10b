import { createTestCountersign, type TestCountersignOverrides } from '@countersign/storage-sqlite/testing'
import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { hours, minutes } from '../../shared/clock.ts'
import { NothingToChange } from '../../shared/errors.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { registerTestPasskey, signInByPasskey } from '../../testing/passkeys.ts'
import {
  anAnnouncement,
  registerTestDevice,
  signIn,
  signInByDevice,
  signInNewDeviceUser,
  signInNewUser,
} from '../../testing/sign-in.ts'
import { createTestDevice } from '../../testing/test-device.ts'

const insufficient = { code: 'insufficient_trust_level' }

/** Prepares a user with a trusted phone, and a web session that is older than a fresh one. */
const given = async (overrides: TestCountersignOverrides = {}) => {
  const test = await createTestCountersign(overrides)
  const user = await signInNewDeviceUser(test)
  test.clock.advance(minutes(11))
  return { ...test, ...user }
}

let test: Awaited<ReturnType<typeof given>>
beforeEach(async () => {
  test = await given()
})

describe('a device that a stolen session registers', () => {
  it('logs in, and its tokens say that its trust is standard', async () => {
    const stolen = await registerTestDevice(test, test.web.caller)
    expect(stolen.device).toMatchObject({ trusted: false, trustedAt: null })
    const { caller, tokens } = await signInByDevice(test, stolen)
    expect(caller).toMatchObject({ trustLevel: 'standard', deviceId: stolen.device.id, tokenUse: 'biometric_access' })
    expect(decodeJwt(tokens.accessToken)).toMatchObject({ trust_level: 'standard', token_use: 'biometric_access' })
    const refreshed = await test.countersign.mobile.refresh({ refreshToken: tokens.refreshToken })
    expect(decodeJwt(refreshed.accessToken)).toMatchObject({ trust_level: 'standard' })
    const answer = await test.countersign.auth.introspect({ token: refreshed.accessToken, serviceName: 'billing' })
    expect(answer).toMatchObject({ trust_level: 'standard' })
  })

  it('neither sees nor approves a confirmation', async () => {
    const stolen = await registerTestDevice(test, test.web.caller)
    const { caller } = await signInByDevice(test, stolen)
    const { id, challenge } = await initiatePayment(test, test.web.caller)
    await expect(test.countersign.confirmations.pending({ caller })).rejects.toMatchObject(insufficient)
    const approval = {
      confirmationId: id,
      deviceId: stolen.device.id,
      signedChallenge: stolen.signer.sign(challenge),
    }
    await expect(test.countersign.confirmations.approve({ caller, ...approval })).rejects.toMatchObject(insufficient)
    // A host that asserts a level that the device does not have is refused by the statement that approves.
    const asserted = { ...caller, trustLevel: 'high' as const }
    await expect(test.countersign.confirmations.approve({ caller: asserted, ...approval })).rejects.toMatchObject(insufficient)
    expect(await test.storage.confirmations.byId(id)).toMatchObject({ status: 'pending', wrongSignatures: 0 })
  })

  it('cannot be used to register a trusted device, however old it is', async () => {
    const stolen = await registerTestDevice(test, test.web.caller)
    const { caller } = await signInByDevice(test, stolen)
    expect((await registerTestDevice(test, caller)).device).toMatchObject({ trusted: false, trustedAt: null })
    expect((await registerTestPasskey(test, caller)).passkey).toMatchObject({ trusted: false, trustedAt: null })
  })

  it('becomes trusted by an admin, also for its current tokens', async () => {
    const added = await registerTestDevice(test, test.web.caller)
    const { tokens } = await signInByDevice(test, added)
    const trusted = await test.countersign.devices.trust({ id: added.device.id })
    expect(trusted).toMatchObject({ id: added.device.id, trusted: true, trustedAt: test.clock.now() })
    const caller = await test.countersign.auth.authenticate({ token: tokens.accessToken })
    expect(caller.trustLevel).toBe('high')
    const refreshed = await test.countersign.mobile.refresh({ refreshToken: tokens.refreshToken })
    expect(decodeJwt(refreshed.accessToken)).toMatchObject({ trust_level: 'high' })
    test.clock.advance(1)
    const again = test.countersign.devices.trust({ id: added.device.id })
    await expect(again).rejects.toStrictEqual(new NothingToChange('The device is trusted already'))
    expect(await test.countersign.devices.list({ caller: test.web.caller })).toContainEqual(trusted)
    await test.countersign.devices.revoke({ id: added.device.id })
    await expect(test.countersign.devices.trust({ id: added.device.id })).rejects.toMatchObject({ code: 'device_not_found' })
  })

  it('stays on probation for seven days after the removal of the only trusted device', async () => {
    await test.countersign.devices.remove({ caller: test.web.caller, deviceId: test.device.id })
    expect((await registerTestDevice(test, test.web.caller)).device.trustedAt).toBeNull()
    test.clock.advance(hours(7 * 24))
    expect((await registerTestDevice(test, test.web.caller)).device.trustedAt).toBeNull()
    test.clock.advance(1)
    expect((await registerTestDevice(test, test.web.caller)).device.trustedAt).toBe(test.clock.now() + hours(12))
  })
})

describe('the first device of an older session', () => {
  const first = async () => {
    const test = await createTestCountersign()
    const web = await signInNewUser(test)
    test.clock.advance(minutes(11))
    const registered = await registerTestDevice(test, web.caller)
    return { ...test, web, registered }
  }

  it('is trusted once its cooling-off period is over, without another login', async () => {
    const test = await first()
    expect(test.registered.device).toMatchObject({ trusted: false, trustedAt: test.clock.now() + hours(12) })
    test.clock.advance(hours(12) - minutes(5))
    const { tokens } = await signInByDevice(test, test.registered)
    const level = async () => (await test.countersign.auth.authenticate({ token: tokens.accessToken })).trustLevel
    test.clock.advance(minutes(5) - 1)
    expect(await level()).toBe('standard')
    test.clock.advance(1)
    expect(await level()).toBe('high')
    expect(await test.countersign.devices.list({ caller: test.web.caller })).toMatchObject([{ trusted: true }])
  })

  it('needs a vouching if the user registers a trusted device before', async () => {
    const test = await first()
    test.clock.advance(1)
    const { caller: own } = await signIn(test, test.web.user)
    expect((await registerTestDevice(test, own)).device.trusted).toBe(true)
    test.clock.advance(hours(12))
    const listed = await test.countersign.devices.list({ caller: own })
    expect(listed).toMatchObject([{ trusted: false, trustedAt: null }, { trusted: true }])
  })
})

describe('a passkey', () => {
  it('on probation signs in, and its session is not fresh', async () => {
    const stolen = await registerTestPasskey(test, test.web.caller)
    expect(stolen.passkey).toMatchObject({ trusted: false, trustedAt: null })
    const { caller } = await signInByPasskey(test, stolen.virtual)
    expect((await registerTestDevice(test, caller)).device).toMatchObject({ trusted: false, trustedAt: null })
  })

  it('becomes trusted by an admin, and its sessions with user verification are fresh from then on', async () => {
    const added = await registerTestPasskey(test, test.web.caller)
    const { caller } = await signInByPasskey(test, added.virtual)
    const trusted = await test.countersign.passkeys.trust({ id: added.passkey.id })
    expect(trusted).toMatchObject({ id: added.passkey.id, trusted: true, trustedAt: test.clock.now() })
    const again = test.countersign.passkeys.trust({ id: added.passkey.id })
    await expect(again).rejects.toStrictEqual(new NothingToChange('The passkey is trusted already'))
    expect((await registerTestDevice(test, caller)).device).toMatchObject({ trusted: true })
    test.clock.advance(minutes(10) + 1)
    expect((await registerTestDevice(test, caller)).device).toMatchObject({ trusted: false })
  })

  it('without user verification opens no fresh session', async () => {
    const test = await createTestCountersign()
    const web = await signInNewUser(test)
    const { virtual } = await registerTestPasskey(test, web.caller)
    await registerTestDevice(test, web.caller)
    const changes = { flags: { userVerified: false } }
    const { caller } = await signInByPasskey(test, virtual, { changes })
    expect((await registerTestDevice(test, caller)).device).toMatchObject({ trusted: false })
    const verified = await signInByPasskey(test, virtual)
    expect((await registerTestDevice(test, verified.caller)).device).toMatchObject({ trusted: true })
  })
})

describe('an enrolment code', () => {
  it('makes the device of an older session trusted, once', async () => {
    const { code } = await test.countersign.users.enrol({ email: test.user.email })
    const { device } = await registerTestDevice(test, test.web.caller, { enrolmentCode: code.toLowerCase() })
    expect(device).toMatchObject({ trusted: true, trustedAt: test.clock.now() })
    const refused = { fields: { enrolmentCode: 'must be an unused enrolment code of this user' } }
    await expect(registerTestDevice(test, test.web.caller, { enrolmentCode: code })).rejects.toMatchObject(refused)
    expect((await registerTestDevice(test, test.web.caller)).device.trusted).toBe(false)
  })

  it('makes a passkey of an older session trusted', async () => {
    const { code } = await test.countersign.users.enrol({ email: test.user.email })
    const { passkey } = await registerTestPasskey(test, test.web.caller, { begin: { enrolmentCode: code } })
    expect(passkey.trusted).toBe(true)
  })

  it('of another user is refused when the registration begins', async () => {
    const other = await signInNewUser(test)
    const { code } = await test.countersign.users.enrol({ email: other.user.email })
    const attempt = registerTestDevice(test, test.web.caller, { enrolmentCode: code })
    await expect(attempt).rejects.toMatchObject({ fields: { enrolmentCode: expect.any(String) } })
  })

  it('makes exactly one of two registrations at the same time trusted', async () => {
    const { code } = await test.countersign.users.enrol({ email: test.user.email })
    const both = await Promise.all([1, 2].map(() => registerTestDevice(test, test.web.caller, { enrolmentCode: code })))
    expect(both.map(({ device }) => device.trusted).sort()).toStrictEqual([false, true])
    const fields = { reason: 'used', userId: test.user.id }
    expect(test.logger.entries).toContainEqual({ level: 'info', event: 'one_time_code_refused', fields })
  })

  it('is not spent by a registration that is refused', async () => {
    const test = await given({ options: { devicesPerUser: 2 } })
    const { code } = await test.countersign.users.enrol({ email: test.user.email })
    const begun = await beginWith(test, code)
    const other = await registerTestDevice(test, test.web.caller)
    await test.countersign.devices.trust({ id: other.device.id })
    await expect(begun.finish()).rejects.toMatchObject({ code: 'too_many_devices' })
    await test.countersign.devices.remove({ caller: test.web.caller, deviceId: other.device.id })
    expect((await registerTestDevice(test, test.web.caller, { enrolmentCode: code })).device.trusted).toBe(true)
  })
})

const beginWith = async (test: Awaited<ReturnType<typeof given>>, enrolmentCode: string) => {
  const caller = test.web.caller
  const signer = createTestDevice('ES256')
  const challenge = await test.countersign.devices.beginRegistration({ caller, ...anAnnouncement(signer), enrolmentCode })
  const answer = { caller, sessionId: challenge.id, signedChallenge: signer.sign(challenge.challenge) }
  return { finish: () => test.countersign.devices.finishRegistration(answer) }
}
