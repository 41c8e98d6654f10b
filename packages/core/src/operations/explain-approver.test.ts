import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { InvalidCredentials } from '../identity/authentication/errors.ts'
import { loginCeiling, loginWaits } from '../identity/login-throttle/login-failures.ts'
import { defaultRateLimits, limitSubject } from '../identity/rate-limits/limits.ts'
import { UserNotFound } from '../identity/user-model/errors.ts'
import type { GivenOptions } from '../options.ts'
import { days, hours, minutes } from '../shared/clock.ts'
import { initiatePayment } from '../testing/initiate-payment.ts'
import { createTestUser, registerTestDevice, signIn, signInNewDeviceUser } from '../testing/sign-in.ts'
import { givenService, signInDeviceUserByService } from '../testing/sign-in-by-service.ts'

const prepare = async (options: GivenOptions = {}) => {
  const test = await createTestCountersign({
    options: { approvalPolicies: { payment_approval: { permission: 'payment.approve', count: 2 } }, ...options },
  })
  const given = await signInNewDeviceUser(test)
  const explain = (actionType?: string) => test.countersign.explainApprover({ email: given.user.email, actionType })
  return { test, ...test, ...given, explain }
}

it('the explanation says that a user with a trusted, signed-in device and a pending confirmation can approve', async () => {
  const { test, web, explain, device } = await prepare()
  const { id } = await initiatePayment(test, web.caller)
  expect(await explain()).toMatchObject({
    canApprove: true,
    reasons: [],
    devices: [{ id: device.id, trusted: true }],
    limits: { pendingConfirmations: { used: 1, limit: 100 } },
    confirmations: { pending: [{ id }], voided: [] },
    policy: null,
  })
})

it('the explanation says that nothing is pending', async () => {
  const { explain } = await prepare()
  expect((await explain()).reasons).toEqual(['No confirmation of the user is pending.'])
})

it('the explanation finds the user by id too', async () => {
  const { countersign, user } = await prepare()
  expect((await countersign.explainApprover({ email: String(user.id) })).user.email).toBe(user.email)
  await expect(countersign.explainApprover({ email: '99999' })).rejects.toThrow(UserNotFound)
})

it('the explanation names a lock, and the approvals that the lock voided', async () => {
  const { test, countersign, clock, web, mobile, device, signer, user, explain } = await prepare()
  const { id, challenge } = await initiatePayment(test, web.caller)
  const signedChallenge = signer.sign(challenge)
  await countersign.confirmations.approve({ caller: mobile.caller, confirmationId: id, deviceId: device.id, signedChallenge })
  await countersign.users.lock({ email: user.email })
  const { canApprove, reasons, confirmations } = await explain()
  expect(canApprove).toBe(false)
  expect(reasons).toContain(`The account was locked at ${new Date(clock.now()).toISOString()}.`)
  expect(reasons).toContain('No trusted device of the user is signed in: the app must log in with its key.')
  expect(confirmations.voided).toMatchObject([{ id, voidedAt: clock.now() }])
})

it.each([
  ['code_or_admin', () => ': a trusted device must vouch for it, or an administrator must trust it.'],
  ['cooling_off', (now: number) => ` until ${new Date(now + hours(12)).toISOString()}.`],
] as const)('the explanation names a missing device, and one on probation, if the first device needs %s', async (way, reason) => {
  const test = await createTestCountersign({ options: { enrolment: 'vouched', firstDeviceOfOlderSession: way } })
  const user = await createTestUser(test)
  const explain = async () => (await test.countersign.explainApprover({ email: user.email })).reasons
  expect(await explain()).toContain('The user has no registered device.')
  const { caller } = await signIn(test, user)
  test.clock.advance(minutes(11))
  const { device } = await registerTestDevice(test, caller)
  expect(await explain()).toContain(`The device ${device.id} is on probation${reason(test.clock.now())}`)
})

describe('the explanation of an account whose password a mailed code has set', () => {
  const given = async (hasDevice: boolean) => {
    const codes: string[] = []
    const test = await createTestCountersign({ deliverCode: ({ code }) => void codes.push(code) })
    const user = await createTestUser(test)
    if (hasDevice) await registerTestDevice(test, (await signIn(test, user)).caller)
    const explain = async () => (await test.countersign.explainApprover({ email: user.email })).mailboxMark
    expect(await explain()).toBeNull()
    await test.countersign.password.forgot({ email: user.email })
    await test.background.drain()
    await test.countersign.password.setWithCode({ code: codes[0] ?? '', newPassword: 'another password, long enough' })
    return { ...test, explain, since: test.clock.now() }
  }

  it('names the mark until it ends by waiting', async () => {
    const { clock, explain, since } = await given(false)
    expect(await explain()).toStrictEqual({ setAt: since, endsAt: since + days(7) })
    clock.advance(days(7))
    expect(await explain()).toBeNull()
  })

  it('names a mark without an end if the user had a trusted device', async () => {
    const { clock, explain, since } = await given(true)
    clock.advance(days(8))
    expect(await explain()).toStrictEqual({ setAt: since, endsAt: null })
  })
})

describe('limits', () => {
  it('say when a password login is possible again, by address', async () => {
    const { test, countersign, clock, user, explain } = await prepare()
    const address = '192.0.2.1'
    for (let time = 0; time < loginWaits.free; time += 1) {
      await expect(countersign.auth.login({ email: user.email, password: 'wrong', address })).rejects.toThrow(InvalidCredentials)
    }
    const limitsFrom = async (from?: string) =>
      (await test.countersign.explainApprover({ email: user.email, address: from })).limits.passwordLoginAt
    expect(await limitsFrom(address)).toBe(clock.now() + loginWaits.first)
    expect(await limitsFrom('192.0.2.2')).toBe(null)
    expect((await explain()).limits.passwordLoginAt).toBe(null)
    clock.advance(loginWaits.first)
    expect(await limitsFrom(address)).toBe(null)
  })

  it('say when a client that the account does not know can log in again', async () => {
    const { countersign, clock, user } = await prepare()
    for (let time = 0; time < loginCeiling.burst; time += 1) {
      const address = `192.0.2.${time}`
      await expect(countersign.auth.login({ email: user.email, password: 'wrong', address })).rejects.toThrow(InvalidCredentials)
    }
    const { limits } = await countersign.explainApprover({ email: user.email, address: '198.51.100.1' })
    expect(limits.passwordLoginAt).toBe(clock.now() + loginCeiling.refillMs)
  })

  it('say that the pending confirmations have reached their limit', async () => {
    const { test, web, explain } = await prepare({ pendingConfirmationsPerUser: 1 })
    await initiatePayment(test, web.caller)
    expect((await explain()).reasons).toEqual([
      'The user has 1 pending confirmations, the most that are allowed: new ones are refused.',
    ])
  })

  it('say until when a rate limit refuses the requests of a session, without counting a request', async () => {
    const { test, countersign, clock, web, mobile, user, explain } = await prepare()
    await initiatePayment(test, web.caller)
    expect((await explain()).limits.refusedRequests).toEqual([])
    const { burst, refillMs } = defaultRateLimits.confirmation
    const [ofWeb, ofDevice, ofAddress] = [
      limitSubject('session', web.caller.sessionId),
      limitSubject('session', mobile.caller.sessionId),
      limitSubject('address', '192.0.2.1'),
    ]
    for (const subject of [ofWeb, ofDevice, ofAddress]) {
      for (let time = 0; time < burst; time += 1) await countersign.rateLimits.take({ category: 'confirmation', subject })
    }
    const allowedAt = clock.now() + refillMs
    const { limits, reasons } = await countersign.explainApprover({ email: user.email, address: '192.0.2.1' })
    expect(new Set(limits.refusedRequests)).toEqual(
      new Set([ofWeb, ofDevice, ofAddress].map((subject) => ({ category: 'confirmation', subject, allowedAt }))),
    )
    expect(reasons).toEqual([
      `The rate limit confirmation refuses requests of the session ${mobile.caller.sessionId} until ${new Date(allowedAt).toISOString()}.`,
    ])
    clock.advance(refillMs)
    expect((await explain()).limits.refusedRequests).toEqual([])
  })

  it('are not named if rate limits are off', async () => {
    const { explain } = await prepare({ rateLimits: 'off' })
    expect((await explain()).limits).toMatchObject({ passwordLoginAt: null, refusedRequests: [] })
  })
})

it('the explanation names an unknown action type, and a permission that requests of a type need', async () => {
  const { explain } = await prepare()
  expect((await explain('wire_transfer')).reasons).toContain(
    'The action type wire_transfer is neither built in nor an active registered type.',
  )
  const { reasons, policy } = await explain('payment_approval')
  expect(policy).toMatchObject({ bands: [{ groups: [{ permission: 'payment.approve', count: 2 }] }], held: false })
  expect(reasons).toContain(
    'Requests of payment_approval ask only users with the permission payment.approve, which the user neither holds nor has by a delegation.',
  )
})

it('the explanation says that a policy without approvers asks nobody', async () => {
  const { explain } = await prepare({ approvalPolicies: { payment_approval: { bands: [{ groups: 'none' }] } } })
  expect((await explain('payment_approval')).reasons).toContain(
    'Requests of payment_approval ask nobody, because no band of the policy asks for approvers.',
  )
})

it('the explanation names the tenants to which every device of the user is bound', async () => {
  const { test } = await prepare()
  const user = await createTestUser(test, { permissions: ['tenant.member@acme'], password: undefined })
  const phone = await signInDeviceUserByService(test, await givenService(test, 'shop', 'acme'), user)
  const { confirmations, explainApprover } = test.countersign
  const actionPayload = { amount: 1, currency: 'EUR', recipient: 'Ada' }
  await confirmations.initiate({ actionType: 'payment_approval', actionPayload, tenant: 'acme', caller: phone.web.caller })
  expect(await explainApprover({ email: user.email, tenant: 'acme' })).toMatchObject({ canApprove: true, reasons: [] })
  const elsewhere = [`The device ${phone.device.id} is bound to acme, and approves nothing elsewhere.`]
  for (const tenant of [undefined, 'other']) {
    expect((await explainApprover({ email: user.email, tenant })).reasons).toStrictEqual(elsewhere)
  }
})
