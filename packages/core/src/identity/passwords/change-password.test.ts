import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { RateLimited } from '../../shared/errors.ts'
import { memoryDirectory } from '../../testing/memory-directory.ts'
import { createTestUser, signIn, signInNewDeviceUser, signInNewUser, testPassword } from '../../testing/sign-in.ts'
import { InvalidAccessToken, InvalidCredentials, NoPassword, WrongPassword } from '../authentication/errors.ts'
import { UserChangedMeanwhile, UsersKeptByHost } from '../user-model/errors.ts'

const newPassword = 'another password, long enough'
const right = { currentPassword: testPassword, newPassword }
const wrong = { currentPassword: 'a wrong guess', newPassword }
const address = '203.0.113.7'

let test: TestCountersign
beforeEach(async () => {
  test = await createTestCountersign()
})

describe('a change of password', () => {
  it('sets the new password, and ends every other session', async () => {
    const { user, web, mobile } = await signInNewDeviceUser(test)
    await test.countersign.password.change({ ...right, caller: web.caller })
    await expect(test.countersign.auth.authenticate({ token: web.tokens.accessToken })).resolves.toBeDefined()
    await expect(test.countersign.auth.authenticate({ token: mobile.tokens.accessToken })).rejects.toThrow(InvalidAccessToken)
    await expect(test.countersign.auth.login({ email: user.email, password: testPassword })).rejects.toThrow(InvalidCredentials)
    await expect(test.countersign.auth.login({ email: user.email, password: newPassword })).resolves.toBeDefined()
  })

  it('voids every unused code of the user', async () => {
    const { user, caller } = await signInNewUser(test)
    const { code } = await test.countersign.users.resetPassword({ email: user.email })
    await test.countersign.password.change({ ...right, caller })
    await expect(test.countersign.password.setWithCode({ code, newPassword })).rejects.toMatchObject({
      code: 'invalid_one_time_code',
    })
  })

  it('notifies the devices of the user', async () => {
    const { web } = await signInNewDeviceUser(test, { pushToken: 'token of a phone' })
    await test.background.drain()
    await test.countersign.password.change({ ...right, caller: web.caller })
    await test.background.drain()
    expect(JSON.stringify(test.push)).toContain('password_changed')
  })

  it('is refused with the wrong current password, and the new password is not set', async () => {
    const { user, caller } = await signInNewUser(test)
    await expect(test.countersign.password.change({ ...wrong, caller })).rejects.toThrow(WrongPassword)
    await expect(signIn(test, user)).resolves.toBeDefined()
  })

  it('counts a wrong current password as a failed login', async () => {
    const { user, caller } = await signInNewUser(test)
    for (let failure = 0; failure < 20; failure += 1) {
      await expect(test.countersign.password.change({ ...wrong, caller, address })).rejects.toThrow(WrongPassword)
    }
    await expect(test.countersign.password.change({ ...right, caller, address })).rejects.toThrow(RateLimited)
    const login = test.countersign.auth.login({ email: user.email, password: testPassword, address })
    await expect(login).rejects.toThrow(RateLimited)
  })

  it('is delayed by failed logins, and resets them when it succeeds', async () => {
    const { user, caller } = await signInNewUser(test)
    const guess = () => test.countersign.auth.login({ email: user.email, password: 'a wrong guess', address })
    for (let failure = 0; failure < 19; failure += 1) await expect(guess()).rejects.toThrow(InvalidCredentials)
    await test.countersign.password.change({ ...right, caller, address })
    for (let failure = 0; failure < 20; failure += 1) await expect(guess()).rejects.toThrow(InvalidCredentials)
    const delayed = test.countersign.password.change({ currentPassword: newPassword, newPassword, caller, address })
    await expect(delayed).rejects.toThrow(RateLimited)
  })

  it('is refused for a user without a password', async () => {
    const { user, caller } = await signInNewUser(test)
    await test.storage.users.change(user.id, 1, { passwordHash: null }, test.clock.now())
    await expect(test.countersign.password.change({ ...right, caller })).rejects.toThrow(NoPassword)
  })

  it('is refused for a new password that is too short or too long', async () => {
    const { caller } = await signInNewUser(test)
    for (const refused of ['short', 'x'.repeat(129)]) {
      const change = test.countersign.password.change({ currentPassword: testPassword, newPassword: refused, caller })
      await expect(change).rejects.toMatchObject({ fields: { newPassword: 'must be 12 to 128 characters' } })
    }
  })

  it('is refused if the session of the caller has ended', async () => {
    const { user, caller } = await signInNewUser(test)
    await test.countersign.sessions.revoke({ id: caller.sessionId })
    await expect(test.countersign.password.change({ ...right, caller })).rejects.toThrow(InvalidAccessToken)
    await expect(signIn(test, user)).resolves.toBeDefined()
  })

  it('is refused for a user who was disabled or deleted, before the password is looked at', async () => {
    for (const end of ['disable', 'delete'] as const) {
      const { user, caller } = await signInNewUser(test)
      await test.countersign.users[end]({ email: user.email })
      await expect(test.countersign.password.change({ ...wrong, caller })).rejects.toThrow(InvalidAccessToken)
    }
  })

  it('succeeds for one of two callers at the same time', async () => {
    const user = await createTestUser(test)
    const [one, other] = [await signIn(test, user), await signIn(test, user)]
    const outcomes = await Promise.allSettled(
      [one, other].map(({ caller }) => test.countersign.password.change({ ...right, caller })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await test.countersign.sessions.list({ email: user.email })).toHaveLength(1)
  })

  type ChangeElsewhere = (
    test: TestCountersign,
    signedIn: Awaited<ReturnType<typeof signInNewUser>>,
    at: number,
  ) => Promise<unknown>

  const grantElsewhere: ChangeElsewhere = ({ countersign }, { user }, at) =>
    countersign.users.grant({ email: user.email, permissions: [`other${at}.read`] })

  /**
   * Returns a change of password during which another server changes the user, by default the permissions, before each
   * transaction that `isRaced` names.
   */
  const raced = async (isRaced: (transaction: number) => boolean, changeElsewhere = grantElsewhere) => {
    const signedIn = await signInNewUser(test)
    const { user, caller } = signedIn
    const { storage } = test
    let transactions = 0
    const losing: typeof storage = {
      ...storage,
      transaction: async (work) => {
        transactions += 1
        if (isRaced(transactions)) await changeElsewhere(test, signedIn, transactions)
        return storage.transaction(work)
      },
    }
    const { countersign } = await createTestCountersign({ ...test, storage: losing })
    const login = (password: string) => test.countersign.auth.login({ email: user.email, password })
    return { change: countersign.password.change({ ...right, caller }), login, transactions: () => transactions }
  }

  it('is tried again if another change of the user came first', async () => {
    const { change, login } = await raced((transaction) => transaction === 2)
    await expect(change).resolves.toBeUndefined()
    await expect(login(newPassword)).resolves.toBeDefined()
    await expect(login(testPassword)).rejects.toThrow(InvalidCredentials)
  })

  it('is refused if the same session set another password meanwhile', async () => {
    const newerPassword = 'a third password, long enough'
    const { change, login } = await raced(
      (transaction) => transaction === 2,
      ({ countersign }, { caller }) =>
        countersign.password.change({ currentPassword: testPassword, newPassword: newerPassword, caller }),
    )
    await expect(change).rejects.toThrow(WrongPassword)
    await expect(login(newerPassword)).resolves.toBeDefined()
    await expect(login(newPassword)).rejects.toThrow(InvalidCredentials)
  })

  it('replaces a stronger hash of the same password that a login stored meanwhile', async () => {
    const { change, login } = await raced(
      (transaction) => transaction === 1,
      async ({ passwords, storage }, { user }) => {
        const passwordHash = (await storage.users.byEmail(user.email))?.passwordHash ?? ''
        await storage.users.upgradePasswordHash(user.id, passwordHash, await passwords.hash(testPassword))
      },
    )
    await expect(change).resolves.toBeUndefined()
    await expect(login(newPassword)).resolves.toBeDefined()
  })

  it('fails with its own error if other changes of the user always come first', async () => {
    const { change, login, transactions } = await raced(() => true)
    await expect(change).rejects.toStrictEqual(new UserChangedMeanwhile())
    expect(transactions()).toBe(4)
    await expect(login(testPassword)).resolves.toBeDefined()
    await expect(login(newPassword)).rejects.toThrow(InvalidCredentials)
  })

  it('is refused if the users are in a directory of the host', async () => {
    const directory = memoryDirectory()
    const test = await createTestCountersign({ users: directory })
    const passwordHash = await test.passwords.hash(testPassword)
    await directory.add({ email: 'ada@example.test', passwordHash, disabled: false })
    const { accessToken } = await test.countersign.auth.login({ email: 'ada@example.test', password: testPassword })
    const caller = await test.countersign.auth.authenticate({ token: accessToken })
    await expect(test.countersign.password.change({ ...right, caller })).rejects.toThrow(UsersKeptByHost)
  })
})
