import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { minutes } from '../../shared/clock.ts'
import { NothingToChange } from '../../shared/errors.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { memoryDirectory } from '../../testing/memory-directory.ts'
import { registerTestPasskey, signInByPasskey } from '../../testing/passkeys.ts'
import { registerTestDevice, signIn, signInByDevice, signInNewDeviceUser, testPassword } from '../../testing/sign-in.ts'
import { InsufficientTrustLevel } from '../authentication/caller.ts'
import { InvalidAccessToken, InvalidCredentials, InvalidOneTimeCode, InvalidRefreshToken } from '../authentication/errors.ts'
import { UserNotFound, UserRefused } from '../user-model/errors.ts'

/** A user with a trusted device and a trusted passkey. */
const prepare = async (options: { readonly passkeyApprovals?: boolean } = {}) => {
  const test = await createTestCountersign({ options })
  const given = await signInNewDeviceUser(test)
  const { virtual, passkey } = await registerTestPasskey(test, given.web.caller)
  const { countersign } = test
  const { email } = given.user
  const lock = () => countersign.users.lock({ email })
  const unlock = () => countersign.users.unlock({ email })
  return { ...given, test, ...test, virtual, passkey, email, lock, unlock }
}

describe('a locked account', () => {
  it('has no live session, and none of its tokens is valid', async () => {
    const { countersign, web, mobile, email, lock } = await prepare()
    expect(await lock()).toMatchObject({ email, lockedAt: expect.any(Number) })
    for (const { tokens } of [web, mobile]) {
      await expect(countersign.auth.authenticate({ token: tokens.accessToken })).rejects.toThrow(InvalidAccessToken)
    }
    await expect(countersign.auth.refresh({ refreshToken: web.tokens.refreshToken })).rejects.toThrow(InvalidRefreshToken)
    await expect(countersign.mobile.refresh({ refreshToken: mobile.tokens.refreshToken })).rejects.toThrow(InvalidRefreshToken)
    expect(await countersign.sessions.list({ email })).toStrictEqual([])
  })

  it('refuses every kind of login until it is unlocked, and says why only to the holder of a device or passkey', async () => {
    const { test, countersign, user, device, signer, virtual, email, lock, unlock } = await prepare()
    await lock()
    const byPassword = () => countersign.auth.login({ email, password: testPassword })
    await expect(byPassword()).rejects.toThrow(InvalidCredentials)
    await expect(signInByDevice(test, { device, signer })).rejects.toMatchObject({ code: 'account_locked' })
    await expect(signInByPasskey(test, virtual)).rejects.toMatchObject({ code: 'account_locked' })
    await unlock()
    await expect(signIn(test, user)).resolves.toBeDefined()
    await expect(signInByDevice(test, { device, signer })).resolves.toBeDefined()
    await expect(signInByPasskey(test, virtual)).resolves.toBeDefined()
  })

  it('lists no passkeys at a login, like an account without passkeys', async () => {
    const { countersign, passkey, email, lock } = await prepare()
    const listed = async () => {
      const { publicKey } = await countersign.passkeys.beginLogin({ email })
      return publicKey.allowCredentials?.map(({ id }) => id)
    }
    expect(await listed()).toContain(passkey.id)
    await lock()
    expect(await listed()).not.toContain(passkey.id)
  })

  it('refuses a login whose challenge was issued before', async () => {
    const { countersign, device, signer, lock } = await prepare()
    const challenge = await countersign.mobile.beginLogin({ deviceFingerprint: device.deviceFingerprint })
    await lock()
    const signedChallenge = signer.sign(challenge.challenge)
    const login = countersign.mobile.finishLogin({ sessionId: challenge.id, signedChallenge, rememberMe: false })
    await expect(login).rejects.toMatchObject({ code: 'account_locked' })
  })

  it('has its pending confirmations rejected, and no device approves them after the unlocking', async () => {
    const { test, countersign, web, device, signer, lock, unlock } = await prepare()
    const { id, challenge } = await initiatePayment(test, web.caller)
    await lock()
    await unlock()
    const { caller } = await signInByDevice(test, { device, signer })
    expect(await countersign.confirmations.status({ caller, confirmationId: id })).toMatchObject({ status: 'rejected' })
    const signedChallenge = signer.sign(challenge)
    const approval = countersign.confirmations.approve({ caller, confirmationId: id, deviceId: device.id, signedChallenge })
    await expect(approval).rejects.toMatchObject({ code: 'confirmation_used' })
  })

  it('has no usable one-time code, and gets no new one', async () => {
    const { countersign, email, lock, unlock } = await prepare()
    const { code } = await countersign.users.resetPassword({ email })
    await lock()
    for (const issue of ['enrol', 'invite', 'resetPassword'] as const) {
      await expect(countersign.users[issue]({ email })).rejects.toThrow(UserRefused)
    }
    const redeem = () => countersign.password.setWithCode({ code, newPassword: 'another password, long enough' })
    await expect(redeem()).rejects.toThrow(InvalidOneTimeCode)
    await unlock()
    await expect(redeem()).rejects.toThrow(InvalidOneTimeCode)
  })

  it('loses its devices and passkeys on probation, and keeps the trusted ones', async () => {
    const { test, countersign, clock, web, device, passkey, email, lock } = await prepare()
    clock.advance(minutes(10) + 1)
    const thief = await registerTestDevice(test, web.caller)
    const thiefsPasskey = await registerTestPasskey(test, web.caller)
    expect(await countersign.devices.listOfUser({ email })).toMatchObject([{ id: device.id }, { id: thief.device.id }])
    await lock()
    expect((await countersign.devices.listOfUser({ email })).map(({ id }) => id)).toStrictEqual([device.id])
    const passkeys = (await countersign.passkeys.listOfUser({ email })).map(({ id }) => id)
    expect(passkeys).toStrictEqual([passkey.id])
    expect(passkeys).not.toContain(thiefsPasskey.passkey.id)
  })

  it('cannot be locked again, and can be unlocked once', async () => {
    const { countersign, clock, email, lock, unlock } = await prepare()
    const { lockedAt } = await lock()
    clock.advance(1)
    await expect(lock()).rejects.toStrictEqual(new NothingToChange('The account is locked already'))
    expect(await countersign.users.find({ email })).toMatchObject({ lockedAt })
    expect(await unlock()).toMatchObject({ lockedAt: null })
    await expect(unlock()).rejects.toStrictEqual(new NothingToChange('The account is not locked'))
  })

  it('stays locked when the user is disabled and enabled', async () => {
    const { countersign, email, lock } = await prepare()
    await lock()
    await countersign.users.disable({ email })
    expect(await countersign.users.enable({ email })).toMatchObject({ disabledAt: null, lockedAt: expect.any(Number) })
  })

  it('must belong to a known user, otherwise locking and unlocking fail', async () => {
    const { countersign } = await prepare()
    await expect(countersign.users.lock({ email: 'nobody@example.test' })).rejects.toThrow(UserNotFound)
    await expect(countersign.users.unlock({ email: 'nobody@example.test' })).rejects.toThrow(UserNotFound)
  })

  it('can belong to a user of a directory', async () => {
    const directory = memoryDirectory()
    const test = await createTestCountersign({ users: directory })
    const [email, passwordHash] = ['ada@example.test', await test.passwords.hash(testPassword)]
    await directory.add({ email, passwordHash, disabled: false })
    const login = () => test.countersign.auth.login({ email, password: testPassword })
    const { accessToken } = await login()
    await test.countersign.users.lock({ email })
    await expect(test.countersign.auth.authenticate({ token: accessToken })).rejects.toThrow(InvalidAccessToken)
    await expect(login()).rejects.toThrow(InvalidCredentials)
    await test.countersign.users.unlock({ email })
    await expect(login()).resolves.toBeDefined()
  })
})

describe('the lock by the user', () => {
  it('is possible from a trusted device', async () => {
    const { countersign, mobile, email } = await prepare()
    await countersign.account.lock({ caller: mobile.caller })
    expect(await countersign.users.find({ email })).toMatchObject({ lockedAt: expect.any(Number) })
    expect(await countersign.sessions.list({ email })).toStrictEqual([])
  })

  it('is possible with a trusted passkey that verified the user, if passkeys approve', async () => {
    for (const [passkeyApprovals, userVerified] of [
      [false, true],
      [true, false],
      [true, true],
    ] as const) {
      const { test, countersign, virtual, email } = await prepare({ passkeyApprovals })
      const { caller } = await signInByPasskey(test, virtual, { changes: { flags: { userVerified } } })
      const locking = countersign.account.lock({ caller })
      if (passkeyApprovals && userVerified) await locking
      else await expect(locking).rejects.toThrow(InsufficientTrustLevel)
      const lockedAt = passkeyApprovals && userVerified ? expect.any(Number) : null
      expect(await countersign.users.find({ email })).toMatchObject({ lockedAt })
    }
  })

  it('is refused if the passkey was removed meanwhile', async () => {
    const { test, countersign, virtual, passkey, email } = await prepare({ passkeyApprovals: true })
    const { caller } = await signInByPasskey(test, virtual)
    await test.storage.passkeys.remove(caller.userId, passkey.id, test.clock.now())
    await expect(countersign.account.lock({ caller })).rejects.toThrow(InvalidAccessToken)
    expect(await countersign.users.find({ email })).toMatchObject({ lockedAt: null })
  })

  it('is refused in a session by password, and in one of a device on probation', async () => {
    const { test, countersign, clock, web, email } = await prepare()
    clock.advance(minutes(10) + 1)
    const thief = await signInByDevice(test, await registerTestDevice(test, web.caller))
    for (const { caller } of [web, thief]) {
      await expect(countersign.account.lock({ caller })).rejects.toThrow(InsufficientTrustLevel)
      // A token that still says `high` changes nothing.
      const claimed = { ...caller, trustLevel: 'high', deviceId: thief.caller.deviceId } as const
      await expect(countersign.account.lock({ caller: claimed })).rejects.toThrow(InsufficientTrustLevel)
    }
    expect(await countersign.users.find({ email })).toMatchObject({ lockedAt: null })
  })

  it('is refused if the session has ended or the device was removed meanwhile', async () => {
    const { countersign, mobile, device, email } = await prepare()
    await countersign.sessions.revoke({ id: mobile.caller.sessionId })
    await expect(countersign.account.lock({ caller: mobile.caller })).rejects.toThrow(InvalidAccessToken)
    await countersign.devices.revoke({ id: device.id })
    await expect(countersign.account.lock({ caller: mobile.caller })).rejects.toThrow(InvalidAccessToken)
    expect(await countersign.users.find({ email })).toMatchObject({ lockedAt: null })
  })

  it('is refused if another lock came first', async () => {
    const { test, mobile } = await prepare()
    const { storage } = test
    const locked: typeof storage = {
      ...storage,
      transaction: (work) => storage.transaction((tx) => work({ ...tx, users: { ...tx.users, setLock: async () => undefined } })),
    }
    const { countersign } = await createTestCountersign({ ...test, storage: locked })
    await expect(countersign.account.lock({ caller: mobile.caller })).rejects.toThrow(InvalidAccessToken)
  })
})
