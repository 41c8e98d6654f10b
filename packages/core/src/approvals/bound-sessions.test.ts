import { randomUUID } from 'node:crypto'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../identity/authentication/caller.ts'
import { days, hours, minutes, seconds } from '../shared/clock.ts'
import { approve } from '../testing/approve-payment.ts'
import { approvalByPasskey, registerTestPasskey, signInByPasskey } from '../testing/passkeys.ts'
import {
  anAnnouncement,
  createTestUser,
  type RegisteredDevice,
  registerTestDevice,
  signIn,
  signInByDevice,
  signInNewUser,
} from '../testing/sign-in.ts'
import { givenService, signInByService, signInDeviceUserByService } from '../testing/sign-in-by-service.ts'
import { createTestDevice } from '../testing/test-device.ts'

const action = {
  actionType: 'payment_approval',
  actionPayload: { amount: 1250, currency: 'EUR', recipient: 'ACME GmbH' },
} as const
const policy = { permission: 'payment.approve', count: 1 } as const

const notFound = { code: 'confirmation_not_found' }
const forbidden = { code: 'forbidden' }

/** A user of two customers, with a service of each. The user has no password. */
const given = async (permissions: readonly string[] = ['tenant.member@acme', 'tenant.member@other']) => {
  const test = await createTestCountersign({
    options: { approvalPolicies: { payment_approval: policy }, passkeyApprovals: true },
  })
  const user = await createTestUser(test, { permissions, password: undefined })
  const [acme, other] = [await givenService(test, 'acme-app', 'acme'), await givenService(test, 'other-app', 'other')]
  const pendingOf = (caller: Caller) => test.countersign.confirmations.pending({ caller })
  const askedBy = ({ service }: typeof acme, tenant: string) =>
    test.countersign.services.initiate({ ...action, service, userId: user.id, tenant })
  const start = async (tenant: string, more: readonly string[] = [`tenant.member@${tenant}`]) => {
    const { caller } = await signInNewUser(test, { permissions: more })
    return test.countersign.approvalRequests.start({ ...action, caller, tenant })
  }
  const redeem = ({ service }: typeof acme, approvalId: string, tenant: string) =>
    test.countersign.approvalRequests.redeem({ ...action, ...policy, service, approvalId, tenant })
  return { test, user, acme, other, pendingOf, askedBy, start, redeem }
}

/** A user of `given` with a trusted phone that `acme` brought. */
const givenBoundPhone = async (permissions?: readonly string[]) => {
  const all = await given(permissions)
  const phone = await signInDeviceUserByService(all.test, all.acme, all.user, { pushToken: randomUUID() })
  expect(phone.device.trusted).toBe(true)
  return { ...all, phone }
}

describe('a session that a service bound to one customer opened', () => {
  it('does not vote for another customer, even if a delegation covers that customer', async () => {
    const { test, user, phone, pendingOf, start, other } = await givenBoundPhone(['tenant.member@acme'])
    const giver = await createTestUser(test, { permissions: ['payment.approve@other'] })
    const until = test.clock.now() + days(1)
    await test.countersign.users.delegate({ from: giver.email, to: user.email, permission: `${policy.permission}@other`, until })
    await expect(start('other')).rejects.toMatchObject({ code: 'too_few_approvers' })
    const unbound = await signInNewUser(test, { permissions: ['payment.approve@other'] })
    await registerTestDevice(test, unbound.caller)
    const { id } = await start('other')
    expect(await pendingOf(phone.mobile.caller)).toStrictEqual([])
    await expect(test.countersign.approvalRequests.read({ caller: phone.mobile.caller, approvalId: id })).rejects.toMatchObject({
      code: 'approval_not_found',
    })
    await expect(
      test.countersign.approvalRequests.redeem({ ...action, ...policy, service: other.service, approvalId: id, tenant: 'other' }),
    ).rejects.toMatchObject({ code: 'approval_not_approved' })
  })

  it('does not vote for another customer, even if the user later gets a permission in that tenant', async () => {
    const { test, user, phone, pendingOf, start, redeem, other } = await givenBoundPhone(['tenant.member@acme'])
    await test.countersign.users.grant({ email: user.email, permissions: ['payment.approve@other'] })
    await expect(start('other')).rejects.toMatchObject({ code: 'too_few_approvers' })
    await signInDeviceUserByService(test, other, user)
    const request = await start('other')
    const [vote] = await test.storage.confirmations.pendingOfUser(user.id, test.clock.now())
    expect(vote?.tenant).toBe('other')
    expect(await pendingOf(phone.mobile.caller)).toStrictEqual([])
    if (vote === undefined) throw new Error('the user is asked')
    await expect(approve(test, phone, vote)).rejects.toMatchObject(notFound)
    await expect(redeem(other, request.id, 'other')).rejects.toMatchObject({ code: 'approval_not_approved' })
  })

  it('does not approve, read, reject or withdraw what the service of another customer asks of the user', async () => {
    const { test, phone, other, pendingOf, askedBy } = await givenBoundPhone()
    const asked = await askedBy(other, 'other')
    expect(await pendingOf(phone.mobile.caller)).toStrictEqual([])
    const { confirmations } = test.countersign
    for (const { caller } of [phone.web, phone.mobile]) {
      const input = { caller, confirmationId: asked.id }
      await expect(confirmations.status(input)).rejects.toMatchObject(notFound)
      await expect(confirmations.reject(input)).rejects.toMatchObject(notFound)
      await expect(confirmations.withdraw(input)).rejects.toMatchObject(notFound)
    }
    await expect(approve(test, phone, asked)).rejects.toMatchObject(notFound)
    const use = { ...action, service: other.service, confirmationId: asked.id, userId: phone.device.userId, tenant: 'other' }
    await expect(test.countersign.services.redeem(use)).rejects.toMatchObject({ code: 'confirmation_not_approved' })
  })

  it('stays bound if the host passes a caller without the bound', async () => {
    const { test, phone, other, askedBy } = await givenBoundPhone()
    const asked = await askedBy(other, 'other')
    const { tenants: _, ...caller } = phone.mobile.caller
    const { confirmations } = test.countersign
    await expect(confirmations.status({ caller, confirmationId: asked.id })).rejects.toMatchObject(notFound)
    await expect(approve(test, { ...phone, mobile: { ...phone.mobile, caller } }, asked)).rejects.toMatchObject(notFound)
    await expect(confirmations.initiate({ ...action, caller })).rejects.toMatchObject(forbidden)
  })

  it('cannot approve outside of its tenants, even if the host passes the caller as unbound', async () => {
    const { test, phone, other, askedBy } = await givenBoundPhone()
    const asked = await askedBy(other, 'other')
    const evidence = { approvedAt: test.clock.now(), ...anEvidenceOf(phone) }
    const approval = {
      id: asked.id,
      userId: phone.device.userId,
      sessionId: phone.mobile.caller.sessionId,
      deviceId: phone.device.id,
    }
    expect(await test.storage.confirmations.approve({ ...approval, evidence, now: test.clock.now() })).toBe('not_trusted')
  })

  it('asks in its tenants only', async () => {
    const { test, phone } = await givenBoundPhone()
    const { confirmations, approvalRequests } = test.countersign
    const { caller } = phone.web
    for (const tenant of ['other', 'nobodys', undefined]) {
      await expect(confirmations.initiate({ ...action, caller, tenant })).rejects.toMatchObject(forbidden)
      await expect(approvalRequests.start({ ...action, caller, tenant })).rejects.toMatchObject(forbidden)
    }
    const asked = await confirmations.initiate({ ...action, caller, tenant: 'acme' })
    await approve(test, phone, asked)
    expect(await confirmations.status({ caller, confirmationId: asked.id })).toMatchObject({ status: 'approved' })
  })

  it('has permissions in its tenants only: none in claims, for projects, for gates of the operator or in another tenant', async () => {
    const { test, phone } = await givenBoundPhone(['*.*', 'payment.read@acme', 'payment.read@other'])
    const { countersign } = test
    const { tokens } = phone.web
    expect(decodeJwt(tokens.accessToken)).toMatchObject({ permissions: [] })
    const refreshed = await countersign.auth.refresh({ refreshToken: tokens.refreshToken })
    expect(decodeJwt(refreshed.accessToken)).toMatchObject({ permissions: [] })
    const verify = (tenant?: string) =>
      countersign.auth.introspect({ token: refreshed.accessToken, serviceName: 'billing', ...(tenant && { tenant }) })
    expect(await verify()).toMatchObject({ permissions: [], tenants: { acme: ['payment.read'] } })
    expect(await verify('acme')).toMatchObject({ permissions: ['payment.read'], tenants: { acme: ['payment.read'] } })
    expect(await verify('other')).toMatchObject({ permissions: [], tenants: {} })
    const caller = await countersign.auth.authenticate({ token: refreshed.accessToken, tenant: 'acme' })
    expect(caller).toMatchObject({ permissions: ['payment.read'], tenants: ['acme'] })
    await expect(countersign.projects.list({ caller: { ...caller, permissions: ['*.*'] } })).rejects.toMatchObject(forbidden)
    const gate = countersign.createGate({
      name: 'bank.pay',
      actionType: 'payment_approval',
      build: (tenant: string | null) => ({ ...action, tenant }),
    })
    for (const tenant of ['other', null]) await expect(gate({ caller, action: tenant })).rejects.toMatchObject(forbidden)
    await expect(gate({ caller, action: 'acme' })).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
  })

  it('grants and lends permissions in its tenants only', async () => {
    const { test, user, phone } = await givenBoundPhone(['payment.approve']).catch(() =>
      givenBoundPhone(['payment.approve', 'tenant.member@acme']),
    )
    const { users } = test.countersign
    const { caller } = phone.web
    const to = await createTestUser(test)
    const until = test.clock.now() + days(1)
    for (const permission of ['payment.approve', 'payment.approve@other']) {
      await expect(users.grant({ email: to.email, permissions: [permission], caller })).rejects.toMatchObject(forbidden)
      await expect(users.delegate({ from: user.email, to: to.email, permission, until, caller })).rejects.toMatchObject(forbidden)
    }
    await users.delegate({ from: user.email, to: to.email, permission: 'payment.approve@acme', until, caller })
  })

  it('does not lock the account, and does not change the password', async () => {
    const { test, phone } = await givenBoundPhone()
    const { account, password } = test.countersign
    await expect(account.lock({ caller: phone.mobile.caller })).rejects.toMatchObject(forbidden)
    const change = { caller: phone.web.caller, currentPassword: 'any', newPassword: 'a new and long password' }
    await expect(password.change(change)).rejects.toMatchObject(forbidden)
  })

  it('sees and ends only sessions, devices and passkeys with its bound', async () => {
    const { test, user, acme, other, phone } = await givenBoundPhone()
    const { countersign } = test
    const foreign = await signInDeviceUserByService(test, other, user)
    const { passkey: foreignPasskey } = await registerTestPasskey(test, foreign.web.caller)
    const { passkey } = await registerTestPasskey(test, phone.web.caller)
    const { caller } = phone.web
    const idsOf = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id)
    expect(idsOf(await countersign.devices.list({ caller }))).toStrictEqual([phone.device.id])
    expect(idsOf(await countersign.passkeys.list({ caller }))).toStrictEqual([passkey.id])
    const own = [phone.web.caller.sessionId, phone.mobile.caller.sessionId].toSorted()
    expect(idsOf((await countersign.sessions.listOwn({ caller })).items).toSorted()).toStrictEqual(own)
    const { sessionId } = foreign.web.caller
    await expect(countersign.sessions.endOwn({ caller, sessionId })).rejects.toMatchObject({ code: 'session_not_found' })
    const deviceId = foreign.device.id
    await expect(countersign.devices.remove({ caller, deviceId })).rejects.toMatchObject({ code: 'device_not_found' })
    const token = { caller, deviceId, pushToken: randomUUID() }
    await expect(countersign.devices.setPushToken(token)).rejects.toMatchObject({ code: 'device_not_found' })
    const credentialId = foreignPasskey.id
    await expect(countersign.passkeys.remove({ caller, credentialId })).rejects.toMatchObject({ code: 'passkey_not_found' })
    const renaming = { caller, credentialId, name: 'mine' }
    await expect(countersign.passkeys.rename(renaming)).rejects.toMatchObject({ code: 'passkey_not_found' })
    const another = await signInByService(test, acme, user)
    expect(await countersign.sessions.endOthers({ caller })).toBe(2)
    await expect(countersign.auth.authenticate({ token: another.tokens.accessToken })).rejects.toMatchObject({
      code: 'invalid_access_token',
    })
    await countersign.auth.logout({ caller, refreshToken: foreign.web.tokens.refreshToken })
    expect(await countersign.auth.authenticate({ token: foreign.web.tokens.accessToken })).toMatchObject({ tenants: ['other'] })
  })

  it('can be ended from an unbound session of the user, which sees all sessions', async () => {
    const { test, phone } = await givenBoundPhone()
    const user = await test.countersign.users.find({ email: phone.web.caller.email })
    await test.countersign.users.setPassword({ email: user.email, password: 'correct horse battery staple' })
    const { acme } = { acme: await givenService(test, 'acme-app', 'acme') }
    const bound = await signInByService(test, acme, user)
    const unbound = await signIn(test, user)
    expect(await test.countersign.devices.list({ caller: unbound.caller })).toHaveLength(1)
    expect(await test.countersign.sessions.endOthers({ caller: unbound.caller })).toBe(1)
    await expect(test.countersign.auth.authenticate({ token: bound.tokens.accessToken })).rejects.toMatchObject({
      code: 'invalid_access_token',
    })
  })

  it('ends by `notMe` only sessions with the same bound', async () => {
    const { test, user, acme, phone } = await givenBoundPhone()
    const { countersign } = test
    const unbound = await countersign.sessions.open({ user: { id: user.id }, signedInAt: test.clock.now(), method: 'test' })
    const caller = await countersign.auth.authenticate({ token: unbound.accessToken })
    const byUnbound = await countersign.confirmations.initiate({ ...action, caller, tenant: 'acme' })
    const byBound = await countersign.confirmations.initiate({
      ...action,
      caller: (await signInByService(test, acme, user)).caller,
      tenant: 'acme',
    })
    for (const { id } of [byUnbound, byBound]) {
      await countersign.confirmations.reject({ caller: phone.mobile.caller, confirmationId: id, notMe: true })
    }
    expect(await countersign.auth.authenticate({ token: unbound.accessToken })).toMatchObject({ tenants: null })
    expect(await countersign.sessions.list({ email: user.email })).toHaveLength(3)
  })

  it('does not use up the limits of other sessions: of confirmations, requests, sessions, devices and passkeys', async () => {
    const test = await createTestCountersign({
      options: {
        pendingConfirmationsPerUser: 1,
        sessionsPerUser: 2,
        devicesPerUser: 1,
        passkeysPerUser: 1,
        openApprovalRequestsPerUser: 1,
        approvalStartsPerHour: 1,
        approvalPolicies: { payment_approval: { bands: [{ groups: 'none' }] } },
      },
    })
    const user = await createTestUser(test, { permissions: ['tenant.member@acme'] })
    const acme = await givenService(test, 'acme-app', 'acme')
    const own = await signIn(test, user)
    const phone = await signInDeviceUserByService(test, acme, user)
    await registerTestPasskey(test, phone.web.caller)
    const bound = await signInByService(test, acme, user)
    const ask = (caller: Caller) => test.countersign.confirmations.initiate({ ...action, caller, tenant: 'acme' })
    await ask(bound.caller)
    await expect(ask(bound.caller)).rejects.toMatchObject({ code: 'too_many_pending_confirmations' })
    await ask(own.caller)
    const start = (caller: Caller) => test.countersign.approvalRequests.start({ ...action, caller, tenant: 'acme' })
    await start(bound.caller)
    await expect(start(bound.caller)).rejects.toMatchObject({ code: 'too_many_approval_requests', retryAfterMs: 30_000 })
    await start(own.caller)
    const fingerprint = phone.device.deviceFingerprint
    await registerTestDevice(test, own.caller, { deviceFingerprint: fingerprint })
    await registerTestPasskey(test, own.caller)
    const again = { caller: own.caller, ...anAnnouncement(createTestDevice('ES256'), fingerprint) }
    await expect(test.countersign.devices.beginRegistration(again)).rejects.toMatchObject({ code: 'device_already_registered' })
  })
})

describe('what a bound service brings', () => {
  it('stays bound: every later login by such a device or passkey is bound too', async () => {
    const { test, phone, other, askedBy } = await givenBoundPhone()
    const { virtual } = await registerTestPasskey(test, phone.web.caller)
    const logins = [await signInByDevice(test, phone), await signInByPasskey(test, virtual)]
    for (const { caller } of logins) expect(caller.tenants).toStrictEqual(['acme'])
    const refreshed = await test.countersign.mobile.refresh({ refreshToken: logins[0]?.tokens.refreshToken ?? '' })
    expect(await test.countersign.auth.authenticate({ token: refreshed.accessToken })).toMatchObject({ tenants: ['acme'] })
    const asked = await askedBy(other, 'other')
    const bySession = logins[1]?.caller ?? phone.web.caller
    const byPasskey = { caller: bySession, ...approvalByPasskey(virtual, asked) }
    await expect(test.countersign.confirmations.approve(byPasskey)).rejects.toMatchObject(notFound)
  })

  it('does not let a bound passkey approve elsewhere, in a session that is not bound', async () => {
    const { test, user, phone, other, askedBy } = await givenBoundPhone()
    const { virtual } = await registerTestPasskey(test, phone.web.caller)
    const { countersign } = test
    const opened = await countersign.sessions.open({ user: { id: user.id }, signedInAt: test.clock.now(), method: 'test' })
    const caller = await countersign.auth.authenticate({ token: opened.accessToken })
    const asked = await askedBy(other, 'other')
    const byPasskey = { caller, ...approvalByPasskey(virtual, asked) }
    await expect(countersign.confirmations.approve(byPasskey)).rejects.toMatchObject({ code: 'passkey_not_found' })
  })

  it('does not let a bound phone approve elsewhere, even if the host passes a session that is not bound', async () => {
    const { test, user, phone, other, askedBy } = await givenBoundPhone()
    const { countersign } = test
    const opened = await countersign.sessions.open({ user: { id: user.id }, signedInAt: test.clock.now(), method: 'test' })
    const unbound = await countersign.auth.authenticate({ token: opened.accessToken })
    const caller: Caller = { ...unbound, trustLevel: 'high', deviceId: phone.device.id }
    const asked = await askedBy(other, 'other')
    await expect(approve(test, { ...phone, mobile: { ...phone.mobile, caller } }, asked)).rejects.toMatchObject(notFound)
  })

  it('gets no notice about the account or another tenant, and the host learns that no phone was notified', async () => {
    const notices: boolean[] = []
    const test = await createTestCountersign({ onNotice: ({ hasTrustedDevice }) => void notices.push(hasTrustedDevice) })
    const user = await createTestUser(test, { permissions: ['tenant.member@acme', 'tenant.member@other'], password: undefined })
    const [acme, other] = [await givenService(test, 'acme-app', 'acme'), await givenService(test, 'other-app', 'other')]
    const phone = await signInDeviceUserByService(test, acme, user, { pushToken: randomUUID() })
    const foreign = await signInDeviceUserByService(test, other, user, { pushToken: randomUUID() })
    await test.background.drain()
    expect(test.push.sent).toStrictEqual([])
    expect(new Set(notices)).toStrictEqual(new Set([false]))
    const ask = async ({ service }: typeof acme, tenant: string) => {
      await test.countersign.services.initiate({ ...action, service, userId: user.id, tenant })
      await test.background.drain()
    }
    await ask(acme, 'acme')
    await ask(other, 'other')
    test.clock.advance(seconds(10))
    await ask(other, 'other')
    expect(test.push.sent.map(({ deviceId, type }) => [deviceId, type])).toStrictEqual([
      [phone.device.id, 'confirmation.requested'],
      [foreign.device.id, 'confirmation.requested'],
      [foreign.device.id, 'confirmation.requested'],
    ])
    expect(test.push.sent.map((message) => 'count' in message && message.count)).toStrictEqual([1, 1, 1])
  })

  it('counts as a trusted device only for sessions with the same bound', async () => {
    const { test, user, acme, other, phone } = await givenBoundPhone()
    const foreign = await signInDeviceUserByService(test, other, user)
    expect(foreign.device.trusted).toBe(true)
    const second = await registerTestDevice(test, (await signInByService(test, acme, user)).caller)
    expect(second.device).toMatchObject({ trusted: false, tenants: ['acme'] })
    expect(second.device.vouching).toBeDefined()
    await test.countersign.devices.remove({ caller: phone.mobile.caller, deviceId: phone.device.id })
    test.clock.advance(minutes(1))
    const third = await registerTestDevice(test, (await signInByService(test, acme, user)).caller)
    expect(third.device.trusted).toBe(false)
    const opened = await test.countersign.sessions.open({ user: { id: user.id }, signedInAt: test.clock.now(), method: 'test' })
    const unbound = await registerTestDevice(test, await test.countersign.auth.authenticate({ token: opened.accessToken }))
    expect(unbound.device).toMatchObject({ trusted: true, tenants: null })
  })

  it('still counts a removed trusted passkey, for sessions with the same bound only', async () => {
    const { test, user, acme, other } = await given()
    const bound = await signInByService(test, acme, user)
    const { passkey } = await registerTestPasskey(test, bound.caller)
    await test.countersign.passkeys.remove({ caller: bound.caller, credentialId: passkey.id })
    const second = await registerTestDevice(test, (await signInByService(test, acme, user)).caller)
    expect(second.device.trusted).toBe(false)
    const foreign = await registerTestDevice(test, (await signInByService(test, other, user)).caller)
    expect(foreign.device.trusted).toBe(true)
  })

  it('can vouch only for devices with the same bound, which stay bound', async () => {
    const { test, user, acme, phone, pendingOf } = await givenBoundPhone()
    const { countersign } = test
    const second = await registerTestDevice(test, (await signInByService(test, acme, user)).caller)
    const { confirmationId, matchNumber } = second.device.vouching ?? { confirmationId: '', matchNumber: '' }
    const [asked] = await pendingOf(phone.mobile.caller)
    expect(asked?.id).toBe(confirmationId)
    const signedChallenge = phone.signer.sign(asked?.challenge ?? '')
    const approval = { caller: phone.mobile.caller, deviceId: phone.device.id, confirmationId, matchNumber, signedChallenge }
    await countersign.confirmations.approve(approval)
    expect(await test.storage.devices.byId(second.device.id)).toMatchObject({ tenants: ['acme'], trustedAt: test.clock.now() })

    const opened = await countersign.sessions.open({
      user: { id: user.id },
      signedInAt: test.clock.now() - hours(1),
      method: 'test',
    })
    const unbound = await registerTestDevice(test, await countersign.auth.authenticate({ token: opened.accessToken }))
    expect(unbound.device).toMatchObject({ trusted: false, tenants: null })
    expect(unbound.device.vouching).toBeUndefined()
    expect(await pendingOf(phone.mobile.caller)).toStrictEqual([])
  })

  it('is no longer bound after an unbound trusted device has vouched for it, and neither are its sessions', async () => {
    const { test, user, phone, pendingOf } = await givenBoundPhone()
    const { countersign } = test
    const opened = await countersign.sessions.open({ user: { id: user.id }, signedInAt: test.clock.now(), method: 'test' })
    const own = await registerTestDevice(test, await countersign.auth.authenticate({ token: opened.accessToken }))
    expect(own.device).toMatchObject({ trusted: true, tenants: null })
    const { caller } = await signInByDevice(test, own)
    const vouching = await countersign.vouching.restart({ caller, deviceId: phone.device.id })
    expect(await pendingOf(phone.mobile.caller)).toMatchObject([{ id: vouching.confirmationId }])
    const { challenge } = (await pendingOf(caller))[0] ?? { challenge: '' }
    const { matchNumber } = await countersign.vouching.read({ caller: phone.mobile.caller, deviceId: phone.device.id })
    await countersign.confirmations.approve({
      caller,
      deviceId: own.device.id,
      confirmationId: vouching.confirmationId,
      matchNumber: matchNumber ?? expect.fail('no number was told'),
      signedChallenge: own.signer.sign(challenge),
    })
    expect(await countersign.auth.authenticate({ token: phone.mobile.tokens.accessToken })).toMatchObject({ tenants: null })
    expect(await countersign.auth.authenticate({ token: phone.web.tokens.accessToken })).toMatchObject({ tenants: ['acme'] })
    expect((await signInByDevice(test, phone)).caller.tenants).toBeNull()
  })

  it('is no longer bound after an administrator has trusted it or given a code for it', async () => {
    const { test, user, acme, phone } = await givenBoundPhone()
    const { countersign } = test
    await countersign.devices.trust({ id: phone.device.id })
    expect(await countersign.auth.authenticate({ token: phone.mobile.tokens.accessToken })).toMatchObject({ tenants: null })
    await expect(countersign.devices.trust({ id: phone.device.id })).rejects.toMatchObject({ code: 'nothing_to_change' })
    const { code: enrolmentCode } = await countersign.users.enrol({ email: user.email })
    const { caller } = await signInByService(test, acme, user)
    const { device } = await registerTestDevice(test, caller, { enrolmentCode })
    expect(device).toMatchObject({ trusted: true, tenants: null })
    const { passkey } = await registerTestPasskey(test, caller)
    await countersign.passkeys.trust({ id: passkey.id })
    expect(await test.storage.passkeys.withId(passkey.id)).toMatchObject([{ tenants: null }])
  })

  it('loses its sessions with the last token of the service for these tenants, and keeps its devices', async () => {
    const { test, user, acme } = await given()
    const { countersign } = test
    const second = await givenService(test, 'ACME-app', 'acme', 'more')
    const phone = await signInDeviceUserByService(test, acme, user)
    const isLive = () =>
      countersign.auth.authenticate({ token: phone.web.tokens.accessToken }).then(
        () => true,
        () => false,
      )
    await countersign.serviceTokens.revoke({ id: acme.tokenId })
    expect(await isLive()).toBe(true)
    await givenService(test, 'acme-app', 'elsewhere')
    await givenService(test, 'another-app', 'acme')
    await countersign.serviceTokens.revoke({ id: second.tokenId })
    expect(await isLive()).toBe(false)
    expect((await signInByDevice(test, phone)).caller.tenants).toStrictEqual(['acme'])
    await expect(signInByService(test, acme, user)).rejects.toMatchObject({ code: 'invalid_access_token' })
  })
})

describe('one person of two customers', () => {
  it('has a session and a phone for each, and works normally in both', async () => {
    const permissions = ['payment.approve@acme', 'payment.approve@other']
    const { test, user, acme, other, pendingOf, start, redeem } = await given(permissions)
    const deviceFingerprint = 'one-phone-for-both'
    const pushToken = randomUUID()
    const customers = [
      {
        tenant: 'acme',
        service: acme,
        phone: await signInDeviceUserByService(test, acme, user, { deviceFingerprint, pushToken }),
      },
      {
        tenant: 'other',
        service: other,
        phone: await signInDeviceUserByService(test, other, user, { deviceFingerprint, pushToken }),
      },
    ]
    await test.background.drain()
    for (const { tenant, service, phone } of customers) {
      const request = await start(tenant)
      const asked = await pendingOf(phone.mobile.caller)
      expect(asked).toHaveLength(1)
      await approve(test, phone, asked[0] ?? { id: '', challenge: '' })
      expect(await redeem(service, request.id, tenant)).toMatchObject({ count: 1 })
      const own = await test.countersign.confirmations.initiate({ ...action, caller: phone.web.caller, tenant })
      await approve(test, phone, own)
      const use = { ...action, service: service.service, confirmationId: own.id, userId: user.id, tenant }
      expect(await test.countersign.services.redeem(use)).toHaveProperty('receipt')
      await test.background.drain()
    }
    const told = test.push.sent.filter(({ type }) => type === 'confirmation.requested').map(({ deviceId }) => deviceId)
    expect(new Set(told)).toStrictEqual(new Set(customers.map(({ phone }) => phone.device.id)))
  })

  it('answers requests of all customers with a phone that is not bound', async () => {
    const { test, user, acme, other, pendingOf, askedBy } = await given()
    const { countersign } = test
    const opened = await countersign.sessions.open({ user: { id: user.id }, signedInAt: test.clock.now(), method: 'test' })
    const own = await registerTestDevice(test, await countersign.auth.authenticate({ token: opened.accessToken }))
    const mobile = await signInByDevice(test, own)
    for (const asked of [await askedBy(acme, 'acme'), await askedBy(other, 'other')]) {
      expect((await pendingOf(mobile.caller)).map(({ id }) => id)).toContain(asked.id)
      await approve(test, { ...own, mobile }, asked)
    }
  })
})

describe('a bound service', () => {
  it('can ask and sign in only members of its tenants and people with a delegated permission there; anybody else is 404', async () => {
    const { test, acme } = await given()
    const { countersign, clock } = test
    const until = clock.now() + days(1)
    const create = (...permissions: string[]) => createTestUser(test, { permissions })
    const outcome = async (userId: number) => {
      const asking = countersign.services.initiate({ ...action, service: acme.service, userId, tenant: 'acme' })
      const outcomes = await Promise.allSettled([asking, signInByService(test, acme, { id: userId })])
      return outcomes.map((one) => (one.status === 'fulfilled' ? 'done' : `${one.reason.code} ${one.reason.message}`))
    }
    const [nothing, elsewhere, everywhere] = [await create(), await create('a.b@other'), await create('*.*', 'payment.approve')]
    const [disabled, locked] = [await create('tenant.member@acme'), await create('tenant.member@acme')]
    await countersign.users.disable({ email: disabled.email })
    await countersign.users.lock({ email: locked.email })
    const [giver, lent] = [await create('payment.approve@acme'), await create()]
    const delegation = { from: giver.email, to: lent.email, permission: 'payment.approve@acme' }
    const unknown = await outcome(987_654)
    expect(unknown[0]).toMatch(/^user_not_found /)
    for (const { id } of [nothing, elsewhere, everywhere, disabled, locked, lent])
      expect(await outcome(id)).toStrictEqual(unknown)
    await countersign.users.delegate({ ...delegation, until })
    expect(await outcome(lent.id)).toStrictEqual(['done', 'done'])
    expect(await outcome((await create('tenant.member@acme', 'a.b@other')).id)).toStrictEqual(['done', 'done'])
    await countersign.users.lock({ email: giver.email })
    expect(await outcome(lent.id)).toStrictEqual(unknown)
  })
})

const anEvidenceOf = ({ device }: RegisteredDevice) =>
  ({
    signature: 'c2ln',
    algorithm: 'ES256',
    over: 'text',
    assertion: null,
    publicKey: device.publicKey,
    keyThumbprint: 'k',
  }) as const
