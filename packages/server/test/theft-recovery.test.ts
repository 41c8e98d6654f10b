import { testPassword } from '@countersign/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { registerPasskey } from '../src/testing/passkeys.ts'
import {
  deviceLogin,
  initiatePayment,
  type RegisteredDevice,
  registerDevice,
  type SignedIn,
  signIn,
} from '../src/testing/sign-in.ts'
import { createTestApp, type TestApp } from '../src/testing/test-app.ts'
import { type TestStorage, testStorages } from '../src/testing/test-storages.ts'

const extended = { 'countersign-extended': '1' }
const minutes = (count: number) => count * 60_000
const hours = (count: number) => minutes(60 * count)
const newPassword = 'another password, long enough'

/** The user has no trusted device. A thief registers a device and a passkey with a web session that is older than ten minutes. */
describe.each(testStorages)('a user without a phone whose web session was stolen, on $name', ({ open }) => {
  let opened: TestStorage
  let test: TestApp
  let stolen: SignedIn
  let thief: RegisteredDevice
  beforeEach(async () => {
    opened = await open()
    test = await createTestApp({ storage: opened.storage })
    stolen = await signIn(test)
    test.clock.advance(minutes(11))
    thief = await registerDevice(test, stolen.token, { headers: extended })
    await registerPasskey(test, stolen.token)
    await deviceLogin(test, thief)
  })
  afterEach(() => opened.remove())

  const byPassword = (password: string) => test.ask('auth.login', { email: stolen.user.email, password })
  const logsIn = async () => {
    const { sessionId, challenge } = await test.ask('mobile.beginLogin', { deviceFingerprint: thief.device.deviceFingerprint })
    const login = { sessionId, signedChallenge: thief.signer.sign(challenge), rememberMe: false }
    return (await test.call('mobile.finishLogin', login)).status
  }

  it('loses the account to the thief if the user does nothing', async () => {
    expect(thief.device).toMatchObject({ trusted: false })
    test.clock.advance(hours(13))
    const { accessToken } = await deviceLogin(test, thief)
    expect((await test.call('account.lock', {}, { token: accessToken })).status).toBe(200)
    expect((await test.call('auth.login', { email: stolen.user.email, password: testPassword })).status).toBe(401)
  })

  it.each([
    [
      'resets the password',
      async () => {
        const { code } = await test.countersign.users.resetPassword({ email: stolen.user.email })
        await test.ask('password.redeem', { code, newPassword })
        return newPassword
      },
    ],
    [
      'changes the password',
      async () => {
        const { accessToken: token } = await byPassword(testPassword)
        await test.ask('password.change', { currentPassword: testPassword, newPassword }, { token })
        return newPassword
      },
    ],
    [
      'ends all other sessions',
      async () => {
        const { accessToken: token } = await byPassword(testPassword)
        await test.ask('sessions.endOthers', {}, { token })
        return testPassword
      },
    ],
    [
      'ends the session of the thief',
      async () => {
        const { accessToken: token } = await byPassword(testPassword)
        const { sessions } = await test.ask('sessions.list', {}, { token })
        const old = sessions.find(({ createdAt, current }) => !current && Date.parse(createdAt) < test.clock.now())
        expect((await test.call('sessions.end', { sessionId: old?.id }, { token })).status).toBe(200)
        return testPassword
      },
    ],
  ])('keeps it if the user %s: after 13 hours no device of the thief is left', async (_, recover) => {
    const payment = await initiatePayment(test, stolen.token)
    const password = await recover()
    expect((await test.call('devices.list', {}, { token: stolen.token })).status).toBe(401)
    test.clock.advance(hours(13))
    expect(await logsIn()).toBe(401)
    const { accessToken: token } = await byPassword(password)
    const { devices } = await test.ask('devices.list', {}, { token })
    const { credentials } = await test.ask('passkeys.list', {}, { token })
    expect([devices, credentials]).toEqual([[], []])
    expect(await opened.storage.confirmations.byId(payment.confirmationId)).toMatchObject({ status: 'rejected' })
    const phone = await registerDevice(test, token, { headers: extended })
    expect(phone.device).toMatchObject({ trusted: true })
  })
})
