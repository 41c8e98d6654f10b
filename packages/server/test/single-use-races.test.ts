import { randomUUID } from 'node:crypto'
import type { Output } from '@countersign/contract'
import { createTestDevice, createVirtualPasskey } from '@countersign/core/testing'
import { expect } from 'vitest'
import { createPasskey, registerPasskey, signPasskeyLogin } from '../src/testing/passkeys.ts'
import { withPendingPayment } from '../src/testing/pending-payment.ts'
import { concurrently, describeRaces, race, statusesOf, successesOf } from '../src/testing/race.ts'
import {
  APPROVES,
  announceDevice,
  aPayment,
  approvePayment,
  approvePending,
  type DeviceUser,
  registerDevice,
  serviceToken,
  signDeviceLogin,
  signIn,
  signInWithDevice,
  startRequest,
  type Tokens,
} from '../src/testing/sign-in.ts'
import type { TestApp } from '../src/testing/test-app.ts'

const statusOfToken = async (test: TestApp, token: string): Promise<number> =>
  (await test.call('internal.verify', { serviceName: 'billing' }, { token })).status

describeRaces('single-use objects', (app) => {
  race('100 approvals of one confirmation: one succeeds', async () => {
    const { verify, status } = await withPendingPayment(app())
    const answers = await concurrently(100, () => verify())
    expect(statusesOf(answers)).toEqual({ 200: 1, 410: 99 })
    expect((await status()).body).toMatchObject({ data: { status: 'approved' } })
  })

  race('50 approvals against 50 rejections: one succeeds and decides the outcome', async () => {
    const { verify, reject, status } = await withPendingPayment(app())
    const answers = await concurrently(100, (index) => (index % 2 === 0 ? verify() : reject()))
    expect(statusesOf(answers)).toEqual({ 200: 1, 410: 99 })
    const [winner] = successesOf<Output<'confirmations.verify'> | Output<'confirmations.reject'>>(answers)
    expect((await status()).body).toMatchObject({ data: { status: winner?.status } })
  })

  race('50 approvals against 50 withdrawals: one succeeds and decides the outcome', async () => {
    const { verify, withdraw, status } = await withPendingPayment(app())
    const answers = await concurrently(100, (index) => (index % 2 === 0 ? verify() : withdraw()))
    expect(statusesOf(answers)).toEqual({ 200: 1, 410: 99 })
    const [winner] = successesOf<Output<'confirmations.verify'> | Output<'confirmations.withdraw'>>(answers)
    expect((await status()).body).toMatchObject({ data: { status: winner?.status } })
  })

  race('50 wrong signatures against 50 valid ones: the confirmation is approved once or rejected, never both', async () => {
    const { verify, status } = await withPendingPayment(app())
    const stranger = createTestDevice('ES256')
    const answers = await concurrently(100, (index) => verify(index % 2 === 0 ? stranger.sign('any') : undefined))
    const seen = statusesOf(answers)
    const approved = seen[200] === 1
    expect(seen[200] ?? 0).toBeLessThanOrEqual(1)
    expect((seen[200] ?? 0) + (seen[401] ?? 0) + (seen[410] ?? 0)).toBe(100)
    expect((await status()).body).toMatchObject({ data: { status: approved ? 'approved' : 'rejected' } })
    expect((await verify()).status).toBe(410)
  })

  race('100 redemptions of one approval: one succeeds', async () => {
    const test = app()
    const user = await signInWithDevice(test)
    const confirmationId = await approvePayment(test, user)
    const token = await serviceToken(test)
    const action = { confirmationId, userId: user.user.id, actionType: 'payment_approval', actionPayload: aPayment }
    const answers = await concurrently(100, () => test.call('services.redeem', action, { token }))
    expect(statusesOf(answers)).toEqual({ 200: 1, 410: 99 })
  })

  race('20 stops against 20 redemptions of one request that has enough: one succeeds and decides the outcome', async () => {
    const test = app()
    const requester = await signInWithDevice(test)
    const { approvalId, approvers } = await startRequest(test, requester.token)
    for (const approver of approvers) await approvePending(test, approver, approvalId)
    const token = await serviceToken(test)
    const use = { approvalId, actionType: 'payment_approval', actionPayload: aPayment, permission: APPROVES, count: 2 }
    const stop = { approvalId, reason: 'The invoice is forged' }
    const [stopper] = approvers as [DeviceUser, ...DeviceUser[]]
    const answers = await concurrently(40, (index) =>
      index % 2 === 0
        ? test.call('approvals.stop', stop, { token: stopper.deviceToken })
        : test.call('services.redeemApproval', use, { token }),
    )
    const isUsed = answers.findIndex(({ status }) => status === 200) % 2 === 1
    expect(statusesOf(answers)).toEqual({ 200: 1, 409: 20, 410: 19 })
    const { status } = await test.ask('approvals.read', { approvalId }, { token: requester.token })
    expect(status).toBe(isUsed ? 'redeemed' : 'rejected')
  })

  race('a lock of the account against 20 redemptions: the approval is consumed once or void', async () => {
    const test = app()
    const user = await signInWithDevice(test)
    const confirmationId = await approvePayment(test, user)
    const token = await serviceToken(test)
    const action = { confirmationId, userId: user.user.id, actionType: 'payment_approval', actionPayload: aPayment }
    const racing = concurrently(21, (index) =>
      index === 10 ? test.call('account.lock', {}, { token: user.deviceToken }) : test.call('services.redeem', action, { token }),
    )
    const answers = (await racing).filter((_, index) => index !== 10)
    const after = await test.storage.confirmations.byId(confirmationId)
    const isConsumed = after !== undefined && after.consumedAt !== null
    expect(statusesOf(answers)).toEqual(isConsumed ? { 200: 1, 410: 19 } : { 409: 20 })
    expect(after?.voidedAt === null).toBe(isConsumed)
  })

  race('20 uses of one reset code: one sets the password', async () => {
    const test = app()
    const { user } = await signIn(test)
    const { code } = await test.countersign.users.resetPassword({ email: user.email })
    const passwordOf = (index: number) => `a password of caller ${index}`
    const answers = await concurrently(20, (index) => test.call('password.redeem', { code, newPassword: passwordOf(index) }))
    expect(statusesOf(answers)).toEqual({ 200: 1, 401: 19 })
    const winner = answers.findIndex(({ status }) => status === 200)
    const login = { email: user.email, password: passwordOf(winner) }
    expect((await test.call('auth.login', login)).status).toBe(200)
  })

  race(
    'a lock of the account against 20 approvals: the confirmation is approved or rejected, and nothing stays open',
    async () => {
      const test = app()
      const { verify, user, deviceToken } = await withPendingPayment(test)
      const locking = concurrently(21, (index) =>
        index === 10 ? test.call('account.lock', {}, { token: deviceToken }) : verify(),
      )
      const seen = statusesOf(await locking)
      expect(Object.keys(seen).every((status) => ['200', '401', '410'].includes(status))).toBe(true)
      const [confirmation] = await test.storage.confirmations.pendingOfUser(user.id, test.clock.now())
      expect(confirmation).toBeUndefined()
      expect(await test.countersign.sessions.list({ email: user.email })).toEqual([])
      expect((await verify()).status).toBe(401)
    },
  )

  race('50 uses of one refresh token: one succeeds, and then the session ends', async () => {
    const test = app()
    const { tokens } = await signIn(test)
    const answers = await concurrently(50, () => test.call('auth.refresh', { refreshToken: tokens.refreshToken }))
    expect(statusesOf(answers)).toEqual({ 200: 1, 401: 49 })
    const [won] = successesOf<Tokens>(answers)
    for (const token of [tokens.accessToken, won?.accessToken ?? '']) expect(await statusOfToken(test, token)).toBe(401)
    for (const { refreshToken } of [tokens, won ?? tokens])
      expect((await test.call('auth.refresh', { refreshToken })).status).toBe(401)
  })

  race('50 uses of one refresh token of a device: one succeeds, and then the session ends', async () => {
    const test = app()
    const { deviceTokens, token } = await signInWithDevice(test)
    const answers = await concurrently(50, () => test.call('mobile.refresh', { refreshToken: deviceTokens.refreshToken }))
    expect(statusesOf(answers)).toEqual({ 200: 1, 401: 49 })
    const [won] = successesOf<Output<'mobile.refresh'>>(answers)
    expect(await statusOfToken(test, won?.tokens.accessToken ?? '')).toBe(401)
    expect((await test.call('mobile.refresh', { refreshToken: won?.tokens.refreshToken })).status).toBe(401)
    // The session of another login is not affected.
    expect(await statusOfToken(test, token)).toBe(200)
  })

  race('50 logins with one signed challenge: one succeeds', async () => {
    const test = app()
    const { user, token } = await signIn(test)
    const login = await signDeviceLogin(test, await registerDevice(test, token))
    const answers = await concurrently(50, () => test.call('mobile.finishLogin', login))
    expect(statusesOf(answers)).toEqual({ 200: 1, 401: 49 })
    const sessions = await test.countersign.sessions.list({ email: user.email })
    expect(sessions.filter(({ kind }) => kind === 'biometric')).toHaveLength(1)
  })

  race('50 registrations of one fingerprint by one user: one device', async () => {
    const test = app()
    const { token } = await signIn(test)
    const deviceFingerprint = `shared-${randomUUID()}`
    const announced = await concurrently(50, () => announceDevice(test, token, { deviceFingerprint }))
    const answers = await concurrently(50, (index) =>
      test.call('devices.finishRegistration', announced[index]?.registration, { token }),
    )
    expect(statusesOf(answers)).toEqual({ 200: 1, 409: 49 })
    const [won] = successesOf<Output<'devices.finishRegistration'>>(answers)
    const { devices } = await test.ask('devices.list', {}, { token })
    expect(devices.map(({ id }) => id)).toEqual([won?.deviceId])
  })

  race('50 uses of one registration challenge: one device', async () => {
    const test = app()
    const { token } = await signIn(test)
    const { registration } = await announceDevice(test, token)
    const answers = await concurrently(50, () => test.call('devices.finishRegistration', registration, { token }))
    expect(statusesOf(answers)).toEqual({ 200: 1, 410: 49 })
    expect((await test.ask('devices.list', {}, { token })).devices).toHaveLength(1)
  })

  race('50 uses of one passkey registration: one passkey', async () => {
    const test = app()
    const { token } = await signIn(test)
    const created = await createPasskey(test, token)
    const answers = await concurrently(50, () => test.call('passkeys.finishRegistration', created, { token }))
    expect(statusesOf(answers)).toEqual({ 200: 1, 410: 49 })
    expect((await test.ask('passkeys.list', {}, { token })).credentials).toHaveLength(1)
  })

  race('50 registrations of one credential: one passkey', async () => {
    const test = app()
    const { token } = await signIn(test)
    const passkey = createVirtualPasskey()
    const created = await concurrently(50, () => createPasskey(test, token, passkey))
    const answers = await concurrently(50, (index) => test.call('passkeys.finishRegistration', created[index], { token }))
    expect(statusesOf(answers)).toEqual({ 200: 1, 409: 49 })
    expect((await test.ask('passkeys.list', {}, { token })).credentials.map(({ id }) => id)).toEqual([passkey.id])
  })

  race('40 concurrent passkey registrations: only as many as a user may have succeed, all with one user handle', async () => {
    const test = app()
    const { token } = await signIn(test)
    const passkeys = Array.from({ length: 40 }, () => createVirtualPasskey())
    const created = await concurrently(40, (index) => createPasskey(test, token, passkeys[index]))
    const answers = await concurrently(40, (index) => test.call('passkeys.finishRegistration', created[index], { token }))
    expect(statusesOf(answers)).toEqual({ 200: 20, 409: 20 })
    expect(new Set(passkeys.map(({ userHandle }) => userHandle)).size).toBe(1)
    expect((await test.ask('passkeys.list', {}, { token })).credentials).toHaveLength(20)
  })

  race('50 logins with one passkey assertion: one succeeds', async () => {
    const test = app()
    const { user, token } = await signIn(test)
    const login = await signPasskeyLogin(test, await registerPasskey(test, token))
    const answers = await concurrently(50, () => test.call('passkeys.finishLogin', login))
    expect(statusesOf(answers)).toEqual({ 200: 1, 401: 49 })
    const sessions = await test.countersign.sessions.list({ email: user.email })
    expect(sessions.filter(({ authMethod }) => authMethod === 'webauthn')).toHaveLength(1)
  })

  race('50 logins with the same signature counter: one succeeds', async () => {
    const test = app()
    const { token } = await signIn(test)
    const passkey = await registerPasskey(test, token)
    const answers = await concurrently(50, async () => {
      const { challengeId, publicKey } = await test.ask('passkeys.beginLogin', {})
      return test.call('passkeys.finishLogin', { challengeId, credential: passkey.get(publicKey, { signCount: 9 }) })
    })
    expect(statusesOf(answers)).toEqual({ 200: 1, 401: 49 })
  })

  race('40 concurrent device registrations: only as many as a user may have succeed', async () => {
    const test = app()
    const { token } = await signIn(test)
    const announced = await concurrently(40, () => announceDevice(test, token))
    const answers = await concurrently(40, (index) =>
      test.call('devices.finishRegistration', announced[index]?.registration, { token }),
    )
    expect(statusesOf(answers)).toEqual({ 200: 20, 409: 20 })
    expect((await test.ask('devices.list', {}, { token })).devices).toHaveLength(20)
  })

  race('120 concurrent confirmations: 100 become pending, and the others are refused', async () => {
    const test = app()
    const { token } = await signIn(test)
    const payment = { actionType: 'payment_approval', actionPayload: { amount: 1, currency: 'EUR', recipient: 'ACME' } }
    const answers = await concurrently(120, () => test.call('confirmations.initiate', payment, { token }))
    expect(statusesOf(answers)).toEqual({ 200: 100, 429: 20 })
  })
})

describeRaces('a refresh token that its client sends again with one renewal key', (app) => {
  const renewalKey = 'k'.repeat(22)

  race('50 concurrent tries all get the same successor, which can be used once', async () => {
    const test = app()
    const { tokens } = await signIn(test)
    const again = () => test.call('auth.refresh', { refreshToken: tokens.refreshToken, renewalKey })
    const answers = await concurrently(50, again)
    expect(statusesOf(answers)).toEqual({ 200: 50 })
    const successors = new Set(successesOf<Tokens>(answers).map(({ refreshToken }) => refreshToken))
    expect(successors.size).toBe(1)
    const [successor] = successors
    expect((await test.call('auth.refresh', { refreshToken: successor, renewalKey: 'l'.repeat(22) })).status).toBe(200)
    expect((await again()).status).toBe(401)
  })

  race('a thief without the key among 50 tries ends the session, whoever was first', async () => {
    const test = app()
    const { tokens } = await signIn(test)
    const { refreshToken } = tokens
    const answers = await concurrently(51, (index) =>
      test.call('auth.refresh', index === 25 ? { refreshToken } : { refreshToken, renewalKey }),
    )
    for (const { accessToken, refreshToken: next } of successesOf<Tokens>(answers)) {
      expect(await statusOfToken(test, accessToken)).toBe(401)
      expect((await test.call('auth.refresh', { refreshToken: next })).status).toBe(401)
    }
  })
})

describeRaces(
  'a refresh token within its leeway',
  (app) => {
    race('50 concurrent uses all get the same successor, which can be used once', async () => {
      const test = app()
      const { tokens } = await signIn(test)
      const answers = await concurrently(50, () => test.call('auth.refresh', { refreshToken: tokens.refreshToken }))
      expect(statusesOf(answers)).toEqual({ 200: 50 })
      const successors = new Set(successesOf<Tokens>(answers).map(({ refreshToken }) => refreshToken))
      expect(successors.size).toBe(1)
      const [successor] = successors
      const next = await test.call('auth.refresh', { refreshToken: successor })
      expect(next.status).toBe(200)
      // The successor was used, so the first token has become invalid.
      expect((await test.call('auth.refresh', { refreshToken: tokens.refreshToken })).status).toBe(401)
      const [last] = successesOf<Tokens>([next])
      expect(await statusOfToken(test, last?.accessToken ?? '')).toBe(401)
    })
  },
  { refreshLeeway: 10_000 },
)
