import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { ReceiptNotFound } from '../../approvals/receipt-keys/errors.ts'
import { ConfirmationNotApproved } from '../../approvals/use/errors.ts'
import { days, seconds } from '../../shared/clock.ts'
import { DataErased } from '../../shared/crypto/field-encryption.ts'
import { NothingToChange } from '../../shared/errors.ts'
import { approvePayment } from '../../testing/approve-payment.ts'
import { givenProject } from '../../testing/contract/given.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { registerTestPasskey, signInByPasskey } from '../../testing/passkeys.ts'
import {
  anAnnouncement,
  createTestUser,
  registerTestDevice,
  signIn,
  signInByDevice,
  signInNewDeviceUser,
  signInNewUser,
  testPassword,
} from '../../testing/sign-in.ts'
import { createTestDevice } from '../../testing/test-device.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'
import { InvalidAccessToken, InvalidCredentials, InvalidRefreshToken } from '../authentication/errors.ts'
import { InvalidBiometricToken } from '../devices/errors.ts'
import { InvalidPasskey } from '../passkeys/errors.ts'
import { EmailTaken, UserNotFound } from '../user-model/errors.ts'

const prepare = async () => {
  const test = await createTestCountersign()
  const given = await signInNewDeviceUser(test)
  const { virtual } = await registerTestPasskey(test, given.web.caller)
  const { email } = given.user
  const remove = () => test.countersign.users.delete({ email })
  return { ...given, test, ...test, virtual, email, remove }
}

describe('a deleted user', () => {
  it('can begin nothing with a caller that was authenticated before', async () => {
    const { test, countersign, storage, web, remove } = await prepare()
    const { caller } = web
    await remove()
    const announced = anAnnouncement(createTestDevice('ES256'))
    await expect(countersign.devices.beginRegistration({ caller, ...announced })).rejects.toThrow(InvalidAccessToken)
    await expect(countersign.passkeys.beginRegistration({ caller })).rejects.toThrow(InvalidAccessToken)
    const { challenges, userHandles } = await storage.sweepable(test.clock.now() + days(1))
    expect({ challenges, userHandles }).toStrictEqual({ challenges: undefined, userHandles: undefined })
  })

  it('leaves no record of the last push message', async () => {
    const { test, countersign, storage, clock, user, web, device, remove } = await prepare()
    await countersign.devices.setPushToken({ caller: web.caller, deviceId: device.id, pushToken: 'the token' })
    const before = clock.now() - 1
    await initiatePayment({ countersign }, web.caller)
    await test.background.drain()
    expect(await storage.pushWindows.wasTold(user.id, before)).toBe(true)
    await remove()
    expect(await storage.pushWindows.wasTold(user.id, before)).toBe(false)
  })

  it('is unknown, and the response counts what was deleted with the user', async () => {
    const { countersign, user, email, remove } = await prepare()
    expect(await remove()).toStrictEqual({ id: user.id, sessions: 2, devices: 1, passkeys: 1 })
    await expect(countersign.users.find({ email })).rejects.toThrow(UserNotFound)
    await expect(countersign.users.enable({ email })).rejects.toThrow(UserNotFound)
    await expect(remove()).rejects.toThrow(UserNotFound)
  })

  it('has no valid token, and no login of any kind works', async () => {
    const { test, countersign, web, mobile, device, signer, virtual, email, remove } = await prepare()
    await remove()
    for (const { tokens } of [web, mobile]) {
      await expect(countersign.auth.authenticate({ token: tokens.accessToken })).rejects.toThrow(InvalidAccessToken)
    }
    await expect(countersign.auth.refresh({ refreshToken: web.tokens.refreshToken })).rejects.toThrow(InvalidRefreshToken)
    await expect(countersign.auth.login({ email, password: testPassword })).rejects.toThrow(InvalidCredentials)
    await expect(signInByDevice(test, { device, signer })).rejects.toThrow(InvalidBiometricToken)
    await expect(signInByPasskey(test, virtual)).rejects.toThrow(InvalidPasskey)
  })

  it('frees the email for another user, who gets nothing of the deleted one', async () => {
    const { test, countersign, user, email, remove } = await prepare()
    await remove()
    const next = await createTestUser(test, { email })
    expect(next.id).not.toBe(user.id)
    const { caller } = await signIn(test, next)
    expect(await countersign.devices.list({ caller })).toStrictEqual([])
  })

  it('leaves no name, payload, nonce or device name in the storage', async () => {
    const { test, storage, web, device, email, remove } = await prepare()
    const confirmation = await initiatePayment(test, web.caller)
    await remove()
    expect(await storage.confirmations.byId(confirmation.id)).toMatchObject({
      payload: '',
      nonce: '',
      requestedFrom: null,
      status: 'rejected',
      challenge: confirmation.challenge,
    })
    const sessions = await storage.sessions.ofUser(web.user.id)
    expect(sessions.map(({ openedFrom }) => openedFrom)).toStrictEqual([null, null])
    expect(await storage.devices.evidenceOf(web.user.id, device.id)).toBeUndefined()
    expect(await storage.users.byEmail(email)).toBeUndefined()
  })

  it('has receipts that still verify, and gets no new receipt', async () => {
    const { test, countersign, remove, ...user } = await prepare()
    const { id: confirmationId } = await approvePayment(test, user)
    await expect(countersign.receipts.export({ confirmationId })).resolves.toMatch(/^ey/)
    await remove()
    await expect(countersign.receipts.export({ confirmationId })).rejects.toThrow(DataErased)
    await expect(countersign.receipts.export({ confirmationId: 'conf_x' })).rejects.toThrow(ReceiptNotFound)
  })

  it('has approvals that nobody can use, and services get the error that the data is erased', async () => {
    const { test, countersign, remove, ...user } = await prepare()
    const { id: confirmationId } = await approvePayment(test, user)
    const service = { name: 'billing', scopes: ['confirmation.read:payment_approval', 'confirmation.redeem:payment_approval'] }
    await remove()
    await expect(countersign.services.confirmation({ service, confirmationId })).rejects.toThrow(DataErased)
    await expect(countersign.services.receipt({ service, confirmationId })).rejects.toThrow(DataErased)
    const use = { confirmationId, userId: user.user.id, actionType: 'payment_approval' } as const
    const actionPayload = validPayloads.payment_approval
    await expect(countersign.services.redeem({ service, ...use, actionPayload })).rejects.toThrow(ConfirmationNotApproved)
    const consumption = { ...use, actionPayload, consumedBy: 'a test' }
    await expect(countersign.confirmations.consume(consumption)).rejects.toThrow(ConfirmationNotApproved)
  })

  it('is logged by id only', async () => {
    const { logger, user, email, remove } = await prepare()
    await remove()
    const entries = JSON.stringify(logger.entries)
    expect(entries).toContain('user_deleted')
    expect(logger.entries).toContainEqual(expect.objectContaining({ fields: { userId: user.id } }))
    expect(entries).not.toContain(email)
  })
})

describe('the update of a user', () => {
  it('changes the given values only, and the session sees them at once', async () => {
    const { countersign, web, user, email } = await prepare()
    const updated = await countersign.users.update({ email, name: 'Grace', department: { name: 'Ships' } })
    expect(updated).toMatchObject({
      ...user,
      name: 'Grace',
      employee: { ...user.employee, name: 'Grace' },
      department: { ...user.department, name: 'Ships' },
      updatedAt: updated.updatedAt,
    })
    const { accessToken } = web.tokens
    expect(await countersign.auth.authenticate({ token: accessToken })).toMatchObject({ userId: user.id })
  })

  it('is refused if the user has the given values already', async () => {
    const { countersign, user, email } = await prepare()
    const { name, employee, department } = user
    const outcome = countersign.users.update({ email, name, employee, department, newEmail: ` ${email.toUpperCase()}` })
    await expect(outcome).rejects.toStrictEqual(new NothingToChange('The user has these values already'))
  })

  it("changes the employee's name too if it was the user's name, and leaves a different one", async () => {
    const { test, countersign } = await prepare()
    const { email } = await createTestUser(test, { name: 'Ada' })
    expect(await countersign.users.update({ email, name: 'Grace' })).toMatchObject({ employee: { name: 'Grace' } })
    await countersign.users.update({ email, employee: { name: 'G. Hopper' } })
    expect(await countersign.users.update({ email, name: 'Ada' })).toMatchObject({ name: 'Ada', employee: { name: 'G. Hopper' } })
  })

  it('moves the user to a free email, with which the user logs in', async () => {
    const { test, countersign, email } = await prepare()
    const newEmail = `new-${email}`
    const other = await createTestUser(test)
    await expect(countersign.users.update({ email, newEmail: other.email })).rejects.toThrow(EmailTaken)
    expect(await countersign.users.update({ email, newEmail: newEmail.toUpperCase() })).toMatchObject({ email: newEmail })
    await expect(countersign.auth.login({ email: newEmail, password: testPassword })).resolves.toBeDefined()
    await expect(countersign.auth.login({ email, password: testPassword })).rejects.toThrow(InvalidCredentials)
  })

  it('to another email voids the one-time codes that were sent to the old one', async () => {
    const { countersign, clock, email } = await prepare()
    const { code } = await countersign.users.resetPassword({ email })
    clock.advance(seconds(1))
    await countersign.users.update({ email, newEmail: `new-${email}` })
    await expect(countersign.password.setWithCode({ code, newPassword: testPassword })).rejects.toThrow()
  })

  it.each([
    ['nothing', {}],
    ['nothing within a member', { employee: {} }],
    ['a wrong email', { newEmail: 'nobody' }],
    ['a name with a control character', { name: 'a\u0000b' }],
    ['a name of 256 characters', { name: 'a'.repeat(256) }],
  ])('is refused for %s', async (_, change) => {
    const { countersign, email, user } = await prepare()
    await expect(countersign.users.update({ email, ...change })).rejects.toMatchObject({ kind: 'invalid' })
    expect(await countersign.users.find({ email })).toStrictEqual(user)
  })
})

describe('the export of a user', () => {
  it('has everything that is stored about the person, with encrypted fields decrypted', async () => {
    const { test, countersign, email, user, device, ...given } = await prepare()
    const confirmation = await approvePayment(test, { ...given, user, device })
    const exported = await countersign.users.export({ email })
    expect(exported).toMatchObject({
      user: { id: user.id, email },
      sessions: [expect.objectContaining({ userId: user.id }), expect.objectContaining({ userId: user.id })],
      devices: [
        { id: device.id, deviceName: "Ada's phone", hasPushToken: false, registration: { signature: expect.any(String) } },
      ],
      passkeys: [{ userId: user.id }],
      confirmations: [
        { id: confirmation.id, status: 'approved', actionPayload: validPayloads.payment_approval, deviceId: device.id },
      ],
      approvalRequests: [],
      projects: [],
      oneTimeCodes: [],
    })
  })

  it('has ended sessions, removed devices and unused codes too', async () => {
    const { countersign, email, device, mobile, web } = await prepare()
    await countersign.users.resetPassword({ email })
    await countersign.devices.remove({ caller: mobile.caller, deviceId: device.id })
    const exported = await countersign.users.export({ email })
    const ends = new Map(exported.sessions.map(({ id, endReason }) => [id, endReason]))
    expect(ends).toStrictEqual(
      new Map([
        [mobile.caller.sessionId, 'device_removed'],
        [web.caller.sessionId, null],
      ]),
    )
    expect(exported.devices).toMatchObject([{ id: device.id, deviceName: "Ada's phone", removedAt: expect.any(Number) }])
    expect(exported.oneTimeCodes).toStrictEqual([{ kind: 'reset', createdAt: expect.any(Number), expiresAt: expect.any(Number) }])
  })

  it('has the approval requests and the projects of the person', async () => {
    const permission = 'invoice.approve'
    const test = await createTestCountersign({ options: { approvalPolicies: { payment_approval: { permission, count: 1 } } } })
    const { countersign, storage } = test
    const { user, web } = await signInNewDeviceUser(test)
    const { email } = user
    const { user: approver, caller } = await signInNewUser(test, { permissions: [permission] })
    await registerTestDevice(test, caller)
    const actionPayload = validPayloads.payment_approval
    const client = { address: '192.0.2.7', userAgent: 'a browser' }
    const { id } = await countersign.approvalRequests.start({
      caller: web.caller,
      ...client,
      actionType: 'payment_approval',
      actionPayload,
    })
    const { uniqueCode } = await givenProject(storage, { creatorId: user.id })
    const exported = await countersign.users.export({ email })
    expect(exported.approvalRequests).toMatchObject([{ id, actionType: 'payment_approval', actionPayload, status: 'pending' }])
    expect(JSON.stringify(exported.approvalRequests)).toContain(client.address)
    const ofApprover = await countersign.users.export({ email: approver.email })
    expect(ofApprover).toMatchObject({ confirmations: [{ statement: { approval: { id } }, actionPayload, requestedFrom: null }] })
    expect(JSON.stringify(ofApprover)).not.toContain(client.address)
    expect(exported.projects).toMatchObject([{ uniqueCode, roles: ['creator'] }])
  })

  it('has no password hash and no token', async () => {
    const { countersign, storage, email, web, mobile } = await prepare()
    const hash = (await storage.users.byEmail(email))?.passwordHash ?? ''
    const text = JSON.stringify(await countersign.users.export({ email }))
    expect(hash).not.toBe('')
    const tokens = [web, mobile].flatMap(({ tokens: { accessToken, refreshToken } }) => [accessToken, refreshToken])
    for (const secret of [hash, ...tokens]) expect(text).not.toContain(secret)
  })
})
